// Made by `npm run gen` from the contracts of the buyer's operations.

/** Turns a campaign brief into booked deals: splits the budget over channels, asks the configured sellers for quotes, ranks them and waits for approval, or with auto_approve books at once. Runs in the background; poll get_booking. */
export interface CreateBookingInput {
  /** What the campaign is to reach, with which budget, and when. */
  readonly brief: {
    /** Required. Campaign name, 1 to 100 characters. */
    readonly name?: string | undefined;
    /** Whose campaign it is; the sellers read it in the notes of the deals. */
    readonly advertiser?: string | null | undefined;
    /** Required, at least one, for example brand_awareness, reach, conversions. */
    readonly objectives?: readonly (string)[] | undefined;
    /** Required. Total budget in USD, more than 0; never exceeded. */
    readonly budget?: number | undefined;
    /** Required. First day of the campaign (UTC). */
    readonly start_date?: string | undefined;
    /** Required. Last day of the campaign, not before start_date. */
    readonly end_date?: string | undefined;
    /** Required. Whom to reach: demographics, interests, geography. An audience plan in it, as audience_plan, is sent with each booking; what a seller does not support of it is left out there. */
    readonly target_audience?: Readonly<Record<string, unknown>> | undefined;
    /** Goals. target_cpm is the price asked for, max_cpm the price never passed, both per thousand in USD. */
    readonly kpis?: {
      readonly target_cpm?: number | null | undefined;
      readonly target_cpm_usd?: number | null | undefined;
      readonly max_cpm?: number | null | undefined;
      readonly max_cpm_usd?: number | null | undefined;
    } | null | undefined;
    /** Only these channels: branding, performance, ctv, mobile_app, display, video, native, linear_tv, dooh, audio. Without them the objectives decide. */
    readonly channels?: readonly (string)[] | null | undefined;
    /** What a channel of the split gets at least and at most, for example {ctv: {max_share: 0.6}}. Plans keep it, also when they are made anew; money that no channel may take stays unplanned. */
    readonly channel_limits?: Readonly<Record<string, {
        /** Least share of the budget, from 0 to 1. */
        readonly min_share?: number | null | undefined;
        /** Most share of the budget, from 0 to 1; 0 buys nothing there. */
        readonly max_share?: number | null | undefined;
        /** Least amount in USD. */
        readonly min_amount?: number | null | undefined;
        /** Most amount in USD. */
        readonly max_amount?: number | null | undefined;
      }>> | null | undefined;
    /** How prices are negotiated; by default patiently wherever the seller and the price tier allow it. */
    readonly negotiation?: {
      /** False takes the prices as they are quoted. */
      readonly enabled?: boolean | undefined;
      /** patient gives in late, quick early, steady evenly; threshold takes the first price within the limit. */
      readonly strategy?: "patient" | "steady" | "quick" | "threshold" | undefined;
      /** The price above which a negotiation is left, in USD per thousand. */
      readonly walk_away_cpm?: number | null | undefined;
      /** Offers at most; the strategy's own number when left out. */
      readonly rounds?: number | null | undefined;
    } | null | undefined;
    /** Spans inside the campaign that are booked one by one; without them the campaign is one flight. */
    readonly flights?: readonly ({
      readonly name?: string | null | undefined;
      readonly start_date: string;
      readonly end_date: string;
      /** Weight of the flight in the budget against the others; default 1. */
      readonly share?: number | undefined;
    })[] | null | undefined;
  };
  /** Book every recommendation without asking. */
  readonly auto_approve?: boolean | undefined;
}

export interface CreateBookingOutput {
  readonly job_id: string;
  readonly status: "pending" | "running" | "awaiting_approval" | "completed" | "failed";
  readonly message: string;
  readonly next_step: string;
  readonly warnings?: readonly ({
    readonly field: string;
    readonly message: string;
  })[] | undefined;
  readonly budget_allocations?: Readonly<Record<string, {
      readonly channel: string;
      readonly budget: number;
      readonly percentage: number;
      readonly rationale: string;
    }>> | undefined;
  readonly total_cost?: number | undefined;
}

/** Returns a booking job: its brief, status, progress (0 to 1) and steps, the budget per channel, the sellers, the recommendations and what was not chosen, the booked lines, totals, warnings and errors. Money in USD. Changes nothing. */
export interface GetBookingInput {
  /** Id from create_booking. */
  readonly job_id: string;
}

export interface GetBookingOutput {
  readonly job_id: string;
  readonly status: "pending" | "running" | "awaiting_approval" | "completed" | "failed";
  readonly is_cancelled?: boolean | undefined;
  readonly progress: number;
  readonly budget_allocations: Readonly<Record<string, {
      readonly channel: string;
      readonly budget: number;
      readonly percentage: number;
      readonly rationale: string;
    }>> | null;
  readonly recommendations: readonly ({
    readonly recommendation_id: string;
    readonly product_id: string;
    readonly product_name: string;
    readonly publisher: string;
    readonly channel: string;
    readonly impressions: number;
    readonly cpm: number;
    readonly cost: number;
    readonly list_cpm: number | null;
    readonly effective_cpm: number;
    readonly fees: {
      readonly intermediary_percent: number;
      readonly tech_cpm: number;
    } | null;
    readonly score: number;
    readonly status: string;
    readonly rationale: string;
    readonly seller_url: string;
    readonly deal_type: string;
    readonly quote_expires_at: string | null;
    readonly negotiation: {
      readonly quote_id: string;
      readonly seller_url: string;
      readonly product_id: string;
      readonly product_name: string;
      readonly quote_cpm: number;
      readonly target_cpm: number;
      readonly walk_away_cpm: number;
      readonly outcome: string;
      readonly agreed_cpm: number | null;
      readonly reason: string | null;
      readonly rounds: readonly ({
        readonly round_number: number;
        readonly buyer_price: number;
        readonly seller_price: number;
        readonly action: string;
        readonly rationale: string;
      })[];
    } | null;
    readonly alternatives: readonly ({
      readonly product_id: string;
      readonly product_name: string;
      readonly seller_url: string;
      readonly channel: string;
      readonly cpm: number;
      readonly impressions?: number | null | undefined;
      readonly deal_type?: string | null | undefined;
      readonly score?: number | null | undefined;
      readonly reason: string;
    })[];
    readonly booking: string;
    readonly held?: {
      readonly task_id: string;
      readonly message: string | null;
      readonly since: string;
    } | null | undefined;
    readonly error: string | null;
    readonly flight_start: string | null;
    readonly flight_end: string | null;
  })[] | null;
  readonly booked_lines: readonly ({
    readonly deal_id: string;
    readonly product_id: string;
    readonly product_name: string;
    readonly channel: string;
    readonly impressions: number;
    readonly cpm: number;
    readonly cost: number;
    readonly deal_type: string;
    readonly booking_status: string;
    readonly status_reason?: string | null | undefined;
    readonly is_booked?: boolean | undefined;
    readonly seller_url: string;
    readonly order_id: string | null;
    readonly recommendation_id: string;
    readonly activation: Readonly<Record<string, string>>;
    readonly cancellation: {
      readonly state: string;
      readonly error?: string | null | undefined;
    } | null;
    readonly status_text: string;
    readonly next_step: string;
    readonly flight_start: string | null;
    readonly flight_end: string | null;
  })[] | null;
  readonly errors: readonly (string)[] | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly campaign_name: string;
  readonly brief: Readonly<Record<string, unknown>>;
  readonly budget: number;
  readonly spent: number;
  readonly chosen_cost: number;
  readonly totals: {
    readonly budget: number;
    readonly recommended: number;
    readonly booked: number;
    readonly unconfirmed: number;
    readonly unspent: number;
  };
  readonly warnings: readonly ({
    readonly field: string;
    readonly message: string;
  })[];
  readonly steps: readonly ({
    readonly name: string;
    readonly started_at: string;
    readonly ended_at: string | null;
    readonly words: string;
  })[];
  readonly sellers: readonly ({
    readonly url: string;
    readonly source: "configured" | "registry";
    readonly trust_level: string | null;
    readonly name: string | null;
    readonly status: "waiting" | "answered" | "left_out";
    readonly tier: string | null;
    readonly ms: number | null;
    readonly products: number | null;
    readonly error: string | null;
  })[];
  readonly not_chosen: readonly ({
    readonly product_id: string;
    readonly product_name: string;
    readonly seller_url: string;
    readonly channel: string;
    readonly cpm: number;
    readonly impressions?: number | null | undefined;
    readonly deal_type?: string | null | undefined;
    readonly score?: number | null | undefined;
    readonly reason: string;
  })[];
  readonly status_text: string;
  readonly next_step: string;
}

/** Asks the sellers what the booked lines of a campaign have delivered: by line, by channel and in all, with what an even plan would have delivered by now. A line whose seller does not say has an error and counts as nothing delivered. Money in USD. Changes nothing. */
export interface GetBookingDeliveryInput {
  /** Id from create_booking. */
  readonly job_id: string;
}

export interface GetBookingDeliveryOutput {
  readonly job_id: string;
  readonly as_of: string;
  readonly lines: readonly ({
    readonly deal_id: string;
    readonly recommendation_id: string;
    readonly product_name: string;
    readonly channel: string;
    readonly seller_url: string;
    readonly flight_start: string | null;
    readonly flight_end: string | null;
    readonly chosen: number;
    readonly spent: number | null;
    readonly booked_impressions: number;
    readonly delivered_impressions: number | null;
    readonly planned_impressions: number;
    readonly data_source: string;
    readonly error: string | null;
  })[];
  readonly channels: readonly ({
    readonly channel: string;
    readonly chosen: number;
    readonly spent: number | null;
    readonly booked_impressions: number;
    readonly delivered_impressions: number | null;
    readonly planned_impressions: number;
  })[];
  readonly total: {
    readonly chosen: number;
    readonly spent: number | null;
    readonly booked_impressions: number;
    readonly delivered_impressions: number | null;
    readonly planned_impressions: number;
  };
}

/** Returns how the prices of a booking job were negotiated: strategy, rounds and outcome per quote, for the whole job or one recommendation. Prices per thousand impressions in USD. Changes nothing. */
export interface GetNegotiationRoundsInput {
  /** Id from create_booking. */
  readonly job_id: string;
  /** Only what led to this recommendation. */
  readonly recommendation_id?: string | null | undefined;
}

export interface GetNegotiationRoundsOutput {
  readonly job_id: string;
  readonly negotiations: readonly ({
    readonly quote_id: string;
    readonly seller_url: string;
    readonly product_id: string;
    readonly product_name: string;
    readonly quote_cpm: number;
    readonly target_cpm: number;
    readonly walk_away_cpm: number;
    readonly outcome: string;
    readonly agreed_cpm: number | null;
    readonly reason: string | null;
  })[];
  readonly rounds: readonly ({
    readonly round_number: number;
    readonly buyer_price: number;
    readonly seller_price: number;
    readonly action: string;
    readonly rationale: string;
    readonly deal_id: string | null;
    readonly proposal_id: string;
  })[];
  readonly total: number;
}

/** Lists booking jobs, newest first, a page at a time; `total` counts every match. Changes nothing. */
export interface ListBookingsInput {
  /** Only jobs in this status, or in one of these. */
  readonly status?: "pending" | "running" | "awaiting_approval" | "completed" | "failed" | readonly ("pending" | "running" | "awaiting_approval" | "completed" | "failed")[] | null | undefined;
  /** Only campaigns with this text in their name, or the job of this id. */
  readonly q?: string | null | undefined;
  /** Jobs on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** Jobs to leave out from the start. */
  readonly offset?: number | undefined;
}

export interface ListBookingsOutput {
  readonly jobs: readonly ({
    readonly job_id: string;
    readonly status: "pending" | "running" | "awaiting_approval" | "completed" | "failed";
    readonly is_cancelled?: boolean | undefined;
    readonly campaign_name: string;
    readonly advertiser?: string | null | undefined;
    readonly budget: number;
    readonly spent?: number | undefined;
    readonly waiting_since?: string | null | undefined;
    readonly cancellations_waiting?: number | undefined;
    readonly unspent?: number | undefined;
    readonly lost?: {
      readonly lines: number;
      readonly cost: number;
    } | undefined;
    readonly end_date?: string | undefined;
    readonly created_at: string;
  })[];
  readonly total: number;
}

/** Approves every recommendation of a waiting booking job but those in except, books them within the budget and answers when that is done. Cannot be undone. */
export interface ApproveAllBookingsInput {
  /** Id from create_booking. */
  readonly job_id: string;
  /** Product ids or recommendation ids that are not approved. */
  readonly except?: readonly (string)[] | undefined;
  /** Leave the other lines waiting for another approval; otherwise they are rejected. */
  readonly keep_rest?: boolean | undefined;
}

export interface ApproveAllBookingsOutput {
  readonly status: "success" | "failed";
  readonly booked: number;
  readonly total_impressions: number;
  readonly total_cost: number;
  readonly failed: readonly ({
    readonly product_id: string;
    readonly error: string;
  })[];
  readonly lines: readonly ({
    readonly recommendation_id: string;
    readonly product_id: string;
    readonly product_name: string;
    readonly channel: string;
    readonly outcome: "approved" | "booked" | "unconfirmed" | "failed" | "rejected";
    readonly deal_id: string | null;
    readonly impressions: number;
    readonly cost: number;
    readonly error: string | null;
  })[];
  readonly waiting_count: number;
  readonly totals: {
    readonly budget: number;
    readonly recommended: number;
    readonly booked: number;
    readonly unconfirmed: number;
    readonly unspent: number;
  };
  readonly status_text: string;
  readonly next_step: string;
}

/** Approves recommendations of a waiting booking job by product id or recommendation id, books them within the budget and answers when that is done. The others are rejected, or kept with keep_rest; an empty list books nothing. Cannot be undone. */
export interface ApproveBookingInput {
  /** Id from create_booking. */
  readonly job_id: string;
  /** Product ids (each approves all its lines) or recommendation ids. Required without recommendation_ids. */
  readonly approved_product_ids?: readonly (string)[] | undefined;
  /** Recommendation ids: each approves one line. */
  readonly recommendation_ids?: readonly (string)[] | undefined;
  /** Leave the other lines waiting for another approval; otherwise they are rejected. */
  readonly keep_rest?: boolean | undefined;
}

export interface ApproveBookingOutput {
  readonly status: "success" | "failed";
  readonly approved_count: number;
  readonly booked: number;
  readonly total_cost: number;
  readonly unknown_product_ids: readonly (string)[];
  readonly lines: readonly ({
    readonly recommendation_id: string;
    readonly product_id: string;
    readonly product_name: string;
    readonly channel: string;
    readonly outcome: "approved" | "booked" | "unconfirmed" | "failed" | "rejected";
    readonly deal_id: string | null;
    readonly impressions: number;
    readonly cost: number;
    readonly error: string | null;
  })[];
  readonly waiting_count: number;
  readonly totals: {
    readonly budget: number;
    readonly recommended: number;
    readonly booked: number;
    readonly unconfirmed: number;
    readonly unspent: number;
  };
  readonly status_text: string;
  readonly next_step: string;
}

/** Asks the seller to cancel a booked line by a change request on its order, and answers how that stands; called again it asks the seller for its decision. A seller may have to review it first. */
export interface CancelBookedLineInput {
  /** Id from create_booking. */
  readonly job_id: string;
  /** The line's deal_id or recommendation_id. */
  readonly line_id: string;
  /** Why, in words that the seller may read. */
  readonly reason?: string | undefined;
}

export interface CancelBookedLineOutput {
  readonly job_id: string;
  readonly deal_id: string;
  readonly cancellation: {
    readonly state: "asked" | "waiting" | "done" | "refused";
    readonly change_request_id: string | null;
    readonly reason: string;
    readonly error: string | null;
  };
  readonly status_text: string;
  readonly next_step: string;
}

/** Cancels a booking job before anything is booked: it ends as failed with the error cancelled. Once booking has started it is refused; cancel_booked_line cancels a booked line. */
export interface CancelBookingInput {
  /** Id from create_booking. */
  readonly job_id: string;
}

export interface CancelBookingOutput {
  readonly job_id: string;
  readonly status: "failed";
  readonly errors: readonly (string)[];
}

/** Offers the money of rejected, failed and cancelled lines of a booking job anew, channel by channel within the brief; lines that wait may be rejected in the same call. The new recommendations wait for approval. */
export interface ReplanBookingInput {
  /** Id from create_booking. */
  readonly job_id: string;
  /** Product ids or recommendation ids of waiting lines to reject first. */
  readonly reject?: readonly (string)[] | undefined;
}

export interface ReplanBookingOutput {
  readonly job_id: string;
  readonly status: "running";
  readonly rejected_count: number;
  readonly free_budget: number;
  readonly next_step: string;
}

/** Shows an audience plan as an OpenRTB 2.6 request carries it: standard audiences in user.data, contextual ones in site.cat, agentic ones in user.ext if switched on. What cannot be carried is warned of. Changes nothing. */
export interface TranslateAudienceInput {
  /** The plan as it is sent with a booking. */
  readonly audience_plan: {
    readonly schema_version?: string | null | undefined;
    readonly audience_plan_id?: string | null | undefined;
    readonly primary: {
      /** standard, contextual or agentic; get_product tells which are sold. */
      readonly type: string;
      /** Id of a segment or category of the taxonomy. */
      readonly identifier: string;
      /** iab-audience for standard, iab-content for contextual, agentic-audiences for agentic. */
      readonly taxonomy: string;
      readonly version: string;
      readonly source: "explicit" | "resolved" | "inferred";
      readonly confidence?: number | null | undefined;
      readonly compliance_context?: {
        readonly jurisdiction: "US" | "EU" | "GLOBAL";
        readonly consent_framework: "IAB-TCFv2" | "GPP" | "advertiser-1p" | "none";
        readonly consent_string_ref?: string | null | undefined;
        readonly attestation?: string | null | undefined;
        readonly embedding_provenance?: "local_buyer" | "advertiser_supplied" | "hosted_external" | "mock" | null | undefined;
      } | null | undefined;
    };
    readonly constraints?: readonly ({
      /** standard, contextual or agentic; get_product tells which are sold. */
      readonly type: string;
      /** Id of a segment or category of the taxonomy. */
      readonly identifier: string;
      /** iab-audience for standard, iab-content for contextual, agentic-audiences for agentic. */
      readonly taxonomy: string;
      readonly version: string;
      readonly source: "explicit" | "resolved" | "inferred";
      readonly confidence?: number | null | undefined;
      readonly compliance_context?: {
        readonly jurisdiction: "US" | "EU" | "GLOBAL";
        readonly consent_framework: "IAB-TCFv2" | "GPP" | "advertiser-1p" | "none";
        readonly consent_string_ref?: string | null | undefined;
        readonly attestation?: string | null | undefined;
        readonly embedding_provenance?: "local_buyer" | "advertiser_supplied" | "hosted_external" | "mock" | null | undefined;
      } | null | undefined;
    })[] | null | undefined;
    readonly extensions?: readonly ({
      /** standard, contextual or agentic; get_product tells which are sold. */
      readonly type: string;
      /** Id of a segment or category of the taxonomy. */
      readonly identifier: string;
      /** iab-audience for standard, iab-content for contextual, agentic-audiences for agentic. */
      readonly taxonomy: string;
      readonly version: string;
      readonly source: "explicit" | "resolved" | "inferred";
      readonly confidence?: number | null | undefined;
      readonly compliance_context?: {
        readonly jurisdiction: "US" | "EU" | "GLOBAL";
        readonly consent_framework: "IAB-TCFv2" | "GPP" | "advertiser-1p" | "none";
        readonly consent_string_ref?: string | null | undefined;
        readonly attestation?: string | null | undefined;
        readonly embedding_provenance?: "local_buyer" | "advertiser_supplied" | "hosted_external" | "mock" | null | undefined;
      } | null | undefined;
    })[] | null | undefined;
    readonly exclusions?: readonly ({
      /** standard, contextual or agentic; get_product tells which are sold. */
      readonly type: string;
      /** Id of a segment or category of the taxonomy. */
      readonly identifier: string;
      /** iab-audience for standard, iab-content for contextual, agentic-audiences for agentic. */
      readonly taxonomy: string;
      readonly version: string;
      readonly source: "explicit" | "resolved" | "inferred";
      readonly confidence?: number | null | undefined;
      readonly compliance_context?: {
        readonly jurisdiction: "US" | "EU" | "GLOBAL";
        readonly consent_framework: "IAB-TCFv2" | "GPP" | "advertiser-1p" | "none";
        readonly consent_string_ref?: string | null | undefined;
        readonly attestation?: string | null | undefined;
        readonly embedding_provenance?: "local_buyer" | "advertiser_supplied" | "hosted_external" | "mock" | null | undefined;
      } | null | undefined;
    })[] | null | undefined;
    readonly rationale?: string | null | undefined;
  };
}

export interface TranslateAudienceOutput {
  readonly openrtb: {
    readonly user?: Readonly<Record<string, unknown>> | undefined;
    readonly site?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly warnings: readonly ({
    readonly reason: string;
    readonly count: number;
    readonly identifiers: readonly (string)[];
  })[];
}

/** Shows the same or different products of all sellers side by side, cheapest first, with price, deal types and minimum, and with a flight what is left over it. A seller that fails is named in warnings. Changes nothing. */
export interface CompareProductsInput {
  /** Ids from search_products; without them up to 100 products of each seller. */
  readonly product_ids?: readonly (string)[] | null | undefined;
  /** First day of a flight, YYYY-MM-DD (UTC). */
  readonly flight_start?: string | null | undefined;
  /** Its last day, included. */
  readonly flight_end?: string | null | undefined;
}

export interface CompareProductsOutput {
  readonly products: readonly ({
    readonly product_id: string;
    readonly name: string;
    readonly seller_url: string;
    readonly inventory_type: string | null;
    readonly price: number | null;
    readonly currency: string | null;
    readonly deal_types: readonly (string)[];
    readonly minimum_impressions: number | null;
    readonly available_impressions: number | null;
    readonly unlimited: boolean;
  })[];
  readonly missing: readonly (string)[];
  readonly warnings: readonly ({
    readonly seller_url: string;
    readonly error: string;
    readonly status_code: number | null;
  })[];
}

/** Searches the catalog of the configured seller: OPENDIRECT_BASE_URL, else the first of SELLER_ENDPOINTS. Products come as the seller lists them, in its order. Nothing found is an empty list. Changes nothing. */
export interface SearchProductsInput {
  /** For example display, video or ctv. */
  readonly channel?: string | null | undefined;
  /** For example banner or pre-roll. */
  readonly format?: string | null | undefined;
  /** Least price per thousand impressions; products without a price are left out. */
  readonly min_price?: number | null | undefined;
  /** Most price per thousand impressions; products without a price are left out. */
  readonly max_price?: number | null | undefined;
  /** At most so many products, 1 to 50. */
  readonly limit?: number | undefined;
}

export interface SearchProductsOutput {
  readonly results: readonly (Readonly<Record<string, unknown>>)[];
  readonly total: number;
  readonly seller_url: string;
}

/** Books a quote at its seller and keeps the deal. Parts of an audience plan that the seller does not support are left out, exactly those, once; left_out names them. */
export interface BookDealInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** Id from request_quote. */
  readonly quote_id: string;
  /** Free text for the seller. */
  readonly notes?: string | null | undefined;
  /** Whom to reach; frozen with the deal. */
  readonly audience_plan?: {
    readonly schema_version?: string | null | undefined;
    readonly audience_plan_id?: string | null | undefined;
    readonly primary: {
      /** standard, contextual or agentic; get_product tells which are sold. */
      readonly type: string;
      /** Id of a segment or category of the taxonomy. */
      readonly identifier: string;
      /** iab-audience for standard, iab-content for contextual, agentic-audiences for agentic. */
      readonly taxonomy: string;
      readonly version: string;
      readonly source: "explicit" | "resolved" | "inferred";
      readonly confidence?: number | null | undefined;
      readonly compliance_context?: {
        readonly jurisdiction: "US" | "EU" | "GLOBAL";
        readonly consent_framework: "IAB-TCFv2" | "GPP" | "advertiser-1p" | "none";
        readonly consent_string_ref?: string | null | undefined;
        readonly attestation?: string | null | undefined;
        readonly embedding_provenance?: "local_buyer" | "advertiser_supplied" | "hosted_external" | "mock" | null | undefined;
      } | null | undefined;
    };
    readonly constraints?: readonly ({
      /** standard, contextual or agentic; get_product tells which are sold. */
      readonly type: string;
      /** Id of a segment or category of the taxonomy. */
      readonly identifier: string;
      /** iab-audience for standard, iab-content for contextual, agentic-audiences for agentic. */
      readonly taxonomy: string;
      readonly version: string;
      readonly source: "explicit" | "resolved" | "inferred";
      readonly confidence?: number | null | undefined;
      readonly compliance_context?: {
        readonly jurisdiction: "US" | "EU" | "GLOBAL";
        readonly consent_framework: "IAB-TCFv2" | "GPP" | "advertiser-1p" | "none";
        readonly consent_string_ref?: string | null | undefined;
        readonly attestation?: string | null | undefined;
        readonly embedding_provenance?: "local_buyer" | "advertiser_supplied" | "hosted_external" | "mock" | null | undefined;
      } | null | undefined;
    })[] | null | undefined;
    readonly extensions?: readonly ({
      /** standard, contextual or agentic; get_product tells which are sold. */
      readonly type: string;
      /** Id of a segment or category of the taxonomy. */
      readonly identifier: string;
      /** iab-audience for standard, iab-content for contextual, agentic-audiences for agentic. */
      readonly taxonomy: string;
      readonly version: string;
      readonly source: "explicit" | "resolved" | "inferred";
      readonly confidence?: number | null | undefined;
      readonly compliance_context?: {
        readonly jurisdiction: "US" | "EU" | "GLOBAL";
        readonly consent_framework: "IAB-TCFv2" | "GPP" | "advertiser-1p" | "none";
        readonly consent_string_ref?: string | null | undefined;
        readonly attestation?: string | null | undefined;
        readonly embedding_provenance?: "local_buyer" | "advertiser_supplied" | "hosted_external" | "mock" | null | undefined;
      } | null | undefined;
    })[] | null | undefined;
    readonly exclusions?: readonly ({
      /** standard, contextual or agentic; get_product tells which are sold. */
      readonly type: string;
      /** Id of a segment or category of the taxonomy. */
      readonly identifier: string;
      /** iab-audience for standard, iab-content for contextual, agentic-audiences for agentic. */
      readonly taxonomy: string;
      readonly version: string;
      readonly source: "explicit" | "resolved" | "inferred";
      readonly confidence?: number | null | undefined;
      readonly compliance_context?: {
        readonly jurisdiction: "US" | "EU" | "GLOBAL";
        readonly consent_framework: "IAB-TCFv2" | "GPP" | "advertiser-1p" | "none";
        readonly consent_string_ref?: string | null | undefined;
        readonly attestation?: string | null | undefined;
        readonly embedding_provenance?: "local_buyer" | "advertiser_supplied" | "hosted_external" | "mock" | null | undefined;
      } | null | undefined;
    })[] | null | undefined;
    readonly rationale?: string | null | undefined;
  } | null | undefined;
}

export interface BookDealOutput {
  readonly seller_url: string;
  readonly quote_id: string | null;
  readonly deal_id: string | null;
  readonly status: string;
  readonly seller_status?: string | null | undefined;
  readonly status_reason?: string | null | undefined;
  readonly product_id: string;
  readonly product_name: string;
  readonly deal_type: string;
  readonly price: number | null;
  readonly currency: string;
  readonly impressions: number | null;
  readonly value: number | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly cancellation?: {
    readonly state: string;
    readonly reason: string;
  } | null | undefined;
  readonly left_out: readonly (string)[];
}

/** Writes the quotes and deals that are kept as one CSV or JSON text, newest first. Changes nothing. */
export interface ExportDealsInput {
  /** Only this status: quoted, booked, or a seller's own. */
  readonly status?: string | null | undefined;
  /** Only this seller. */
  readonly seller_url?: string | null | undefined;
  /** Only this type. */
  readonly deal_type?: "PG" | "PD" | "PA" | null | undefined;
  /** Only what has these words in its product, seller or ids, job_id too. */
  readonly q?: string | null | undefined;
  /** The form of content. */
  readonly format?: "csv" | "json" | undefined;
}

export interface ExportDealsOutput {
  readonly format: string;
  readonly filename: string;
  readonly count: number;
  readonly content: string;
}

/** Reads a deal anew at its seller and keeps the status that it reports. Where the seller cannot be asked, what is known is returned, with refreshed false and the reason. */
export interface GetDealInput {
  /** Id from book_deal. */
  readonly deal_id: string;
  /** The seller; needed where two sellers gave the same id. */
  readonly seller_url?: string | null | undefined;
}

export interface GetDealOutput {
  readonly seller_url: string;
  readonly quote_id: string | null;
  readonly deal_id: string | null;
  readonly status: string;
  readonly seller_status?: string | null | undefined;
  readonly status_reason?: string | null | undefined;
  readonly product_id: string;
  readonly product_name: string;
  readonly deal_type: string;
  readonly price: number | null;
  readonly currency: string;
  readonly impressions: number | null;
  readonly value: number | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly cancellation?: {
    readonly state: string;
    readonly reason: string;
  } | null | undefined;
  readonly seller_says: string | null;
  readonly refreshed: boolean;
  readonly refresh_error: string | null;
}

/** Reads a quote anew at its seller and keeps what it says. */
export interface GetQuoteInput {
  /** Id from request_quote. */
  readonly quote_id: string;
  /** The seller; needed where two sellers gave the same id. */
  readonly seller_url?: string | null | undefined;
}

export interface GetQuoteOutput {
  readonly seller_url: string;
  readonly quote_id: string | null;
  readonly deal_id: string | null;
  readonly status: string;
  readonly seller_status?: string | null | undefined;
  readonly status_reason?: string | null | undefined;
  readonly product_id: string;
  readonly product_name: string;
  readonly deal_type: string;
  readonly price: number | null;
  readonly currency: string;
  readonly impressions: number | null;
  readonly value: number | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly cancellation?: {
    readonly state: string;
    readonly reason: string;
  } | null | undefined;
}

/** Lists the quotes and deals that are kept, newest first, of direct bookings and of campaigns. Totals are over all matches; what is bought are the standing ones: booked, and not cancelled, rejected or expired. Asks no seller. Changes nothing. */
export interface ListDealsInput {
  /** Only this status: quoted, booked, or a seller's own. */
  readonly status?: string | null | undefined;
  /** Only this seller. */
  readonly seller_url?: string | null | undefined;
  /** Only this type. */
  readonly deal_type?: "PG" | "PD" | "PA" | null | undefined;
  /** Only what has these words in its product, seller or ids, job_id too. */
  readonly q?: string | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
}

export interface ListDealsOutput {
  readonly deals: readonly ({
    readonly seller_url: string;
    readonly quote_id: string | null;
    readonly deal_id: string | null;
    readonly status: string;
    readonly seller_status?: string | null | undefined;
    readonly status_reason?: string | null | undefined;
    readonly product_id: string;
    readonly product_name: string;
    readonly deal_type: string;
    readonly price: number | null;
    readonly currency: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly flight_start: string | null;
    readonly flight_end: string | null;
    readonly cancellation?: {
      readonly state: string;
      readonly reason: string;
    } | null | undefined;
  })[];
  readonly count: number;
  readonly total: number;
  readonly totals: {
    readonly count: number;
    readonly value: Readonly<Record<string, number>>;
    readonly impressions: number;
    readonly standing_count?: number | undefined;
    readonly standing_value?: Readonly<Record<string, number>> | undefined;
    readonly standing_impressions?: number | undefined;
  };
}

/** Asks a seller for a quote and keeps it. Nothing is bought: book it with book_deal. */
export interface RequestQuoteInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** Id from search_products. */
  readonly product_id: string;
  /** Guaranteed, preferred, or private auction. */
  readonly deal_type?: "PG" | "PD" | "PA" | undefined;
  /** Impressions; required for PG. */
  readonly impressions?: number | null | undefined;
  /** First day (UTC). */
  readonly flight_start?: string | null | undefined;
  /** Last day. */
  readonly flight_end?: string | null | undefined;
  /** The price wished for, per thousand impressions. */
  readonly target_cpm?: number | null | undefined;
}

export interface RequestQuoteOutput {
  readonly seller_url: string;
  readonly quote_id: string | null;
  readonly deal_id: string | null;
  readonly status: string;
  readonly seller_status?: string | null | undefined;
  readonly status_reason?: string | null | undefined;
  readonly product_id: string;
  readonly product_name: string;
  readonly deal_type: string;
  readonly price: number | null;
  readonly currency: string;
  readonly impressions: number | null;
  readonly value: number | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly cancellation?: {
    readonly state: string;
    readonly reason: string;
  } | null | undefined;
  readonly dry_run?: boolean | undefined;
}

/** Deals that were booked, by campaigns and directly, with impressions and value by day, week or month of booking, at most 62 points, with totals. Asks no seller. Changes nothing. */
export interface GetActivityInput {
  /** First day, YYYY-MM-DD (UTC); 29 days before the last when left out. */
  readonly from?: string | null | undefined;
  /** Last day; today when left out. */
  readonly to?: string | null | undefined;
  /** Weeks start on Monday. */
  readonly step?: "day" | "week" | "month" | undefined;
  /** Only this product. */
  readonly product_id?: string | null | undefined;
  /** Only this seller. */
  readonly seller_url?: string | null | undefined;
  /** The deals over all these days by seller, product or type too. */
  readonly by?: "none" | "seller" | "product" | "deal_type" | undefined;
}

export interface GetActivityOutput {
  readonly from: string;
  readonly to: string;
  readonly points: readonly ({
    readonly at: string;
    readonly deals: number;
    readonly lost: number;
    readonly impressions: number;
    readonly values: Readonly<Record<string, number>>;
    readonly standing_values?: Readonly<Record<string, number>> | undefined;
  })[];
  readonly totals: {
    readonly deals: number;
    readonly lost: number;
    readonly impressions: number;
    readonly values: Readonly<Record<string, number>>;
    readonly standing_values?: Readonly<Record<string, number>> | undefined;
  };
  readonly groups: readonly ({
    readonly key: string;
    readonly name: string;
    readonly deals: number;
    readonly lost: number;
    readonly impressions: number;
    readonly values: Readonly<Record<string, number>>;
    readonly standing_values?: Readonly<Record<string, number>> | undefined;
  })[];
}

/** Compares sellers by what their media kits hold: packages, formats, price ranges. A seller that cannot be read stands in the list with its error. Changes nothing. */
export interface CompareSellersInput {
  /** Addresses of the sellers; the configured ones where the list is empty. */
  readonly seller_urls?: readonly (string)[] | undefined;
}

export interface CompareSellersOutput {
  readonly sellers_compared: number;
  readonly sellers: readonly ({
    readonly seller_url: string;
    readonly seller_name: string | null;
    readonly total_packages: number;
    readonly ad_formats: readonly (string)[];
    readonly packages: readonly ({
      readonly package_id: string;
      readonly name: string;
    })[];
    readonly error: string | null;
    readonly status_code: number | null;
  })[];
  readonly summary: {
    readonly total_packages_across_sellers: number;
    readonly all_ad_formats: readonly (string)[];
    readonly sellers_reachable: number;
    readonly sellers_unreachable: number;
  };
}

/** Shows a seller's media kit: its name, the featured packages and all packages. Changes nothing. */
export interface GetSellerMediaKitInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
}

export interface GetSellerMediaKitOutput {
  readonly seller_url: string;
  readonly seller_name: string;
  readonly total_packages: number;
  readonly featured: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string | null;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly seller_url: string;
  })[];
  readonly all_packages: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string | null;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly seller_url: string;
  })[];
}

/** Returns one package of a seller, with its price where this buyer's key shows it. Changes nothing. */
export interface GetSellerPackageInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** Id from list_seller_packages. */
  readonly package_id: string;
}

export interface GetSellerPackageOutput {
  readonly package_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly ad_formats: readonly (string)[];
  readonly device_types: readonly (number)[];
  readonly cat: readonly (string)[];
  readonly geo_targets: readonly (string)[];
  readonly tags: readonly (string)[];
  readonly price_range: string | null;
  readonly rate_type: string;
  readonly is_featured: boolean;
  readonly seller_url: string;
}

/** Lists the packages of several sellers, asked at the same time. A seller that fails is left out and named in warnings. Changes nothing. */
export interface ListSellerPackagesInput {
  /** Addresses of the sellers; the configured ones where the list is empty. */
  readonly seller_urls?: readonly (string)[] | undefined;
  /** Only packages of this layer: synced, curated or dynamic. */
  readonly layer?: string | null | undefined;
  /** Only featured packages. */
  readonly featured_only?: boolean | undefined;
}

export interface ListSellerPackagesOutput {
  readonly packages: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string | null;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly seller_url: string;
  })[];
  readonly total: number;
  readonly warnings: readonly ({
    readonly seller_url: string;
    readonly error: string;
    readonly status_code: number | null;
  })[];
}

/** Searches a seller's packages for words, best first. Changes nothing. */
export interface SearchSellerMediaKitInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** Words, for example: premium sports ctv. */
  readonly query: string;
}

export interface SearchSellerMediaKitOutput {
  readonly seller_url: string;
  readonly packages: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string | null;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly seller_url: string;
  })[];
  readonly total: number;
}

/** Ends the session with a seller: closes it there, as far as the seller can be reached, and forgets it here in any case. */
export interface CloseSellerSessionInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
}

export interface CloseSellerSessionOutput {
  readonly seller_url: string;
  readonly session_id: string | null;
  readonly closed: boolean;
  readonly seller_informed: boolean;
}

/** Lists the sessions with sellers, newest first, one for each. Changes nothing. */
export interface ListSellerSessionsInput {
  /** Sessions on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** Sessions to leave out from the start. */
  readonly offset?: number | undefined;
}

export interface ListSellerSessionsOutput {
  readonly sessions: readonly ({
    readonly session_id: string | null;
    readonly seller_url: string;
    readonly created_at: string;
    readonly expires_at: string;
    readonly status: "active" | "expired";
  })[];
  readonly count: number;
  readonly total: number;
}

/** Returns the session with a seller: the active one, else a new one. There is one for each seller, for seven days or as long as the seller says. */
export interface OpenSellerSessionInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** A session that the seller no longer knows: a new one is opened. */
  readonly replaces?: string | null | undefined;
}

export interface OpenSellerSessionOutput {
  readonly session_id: string | null;
  readonly seller_url: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly status: "active" | "expired";
  readonly reused: boolean;
}

/** Says something to a seller in the session with it and returns the answer. Opens a session where there is none, and a new one, once, where the seller no longer knows it. What the seller does then, it does for this buyer. */
export interface SendSellerMessageInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** What is said: a text, or an object that is sent as it is. */
  readonly message: string | Readonly<Record<string, unknown>>;
}

export interface SendSellerMessageOutput {
  readonly seller_url: string;
  readonly session_id: string | null;
  readonly text: string | null;
  readonly answer: Readonly<Record<string, unknown>> | null;
  readonly renewed: boolean;
}

/** Adds a seller by its address to those that briefs ask and comparisons show, and asks it for a key. A dry run reads its card, its trust and whether it answers, and adds nothing. An address that is there already stays as it is. The address must be a public one, or stand in OUTBOUND_ALLOW. */
export interface AddSellerInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** Ask it for a key in this buyer's name; where it gives none the seller is added without. */
  readonly acquire_key?: boolean | undefined;
}

export interface AddSellerOutput {
  readonly seller_url: string;
  readonly added: boolean;
  readonly card: {
    readonly agent_id: string;
    readonly name: string;
    readonly url: string;
    readonly protocols: readonly (string)[];
    readonly capabilities: readonly ({
      readonly name: string;
      readonly description: string;
      readonly tags: readonly (string)[];
    })[];
    readonly trust_level: "unknown" | "registered" | "verified" | "preferred" | "blocked";
  } | null;
  readonly trust: {
    readonly agent_url: string;
    readonly is_registered: boolean;
    readonly trust_level: "unknown" | "registered" | "verified" | "preferred" | "blocked";
    readonly registry_id: string | null;
  };
  readonly protocols: readonly (string)[];
  readonly reachable: boolean;
  readonly tier: string | null;
  readonly masked_key: string | null;
  readonly key_error: string | null;
}

/** Finds sellers in the agent registry that have any of the capabilities, each with its trust. Empty where there is no registry, or it does not answer. Changes nothing. */
export interface DiscoverSellersInput {
  /** For example ctv, display, video, audio; all sellers where the list is empty. */
  readonly capabilities?: readonly (string)[] | undefined;
}

export interface DiscoverSellersOutput {
  readonly sellers: readonly ({
    readonly agent_id: string;
    readonly name: string;
    readonly url: string;
    readonly protocols: readonly (string)[];
    readonly capabilities: readonly ({
      readonly name: string;
      readonly description: string;
      readonly tags: readonly (string)[];
    })[];
    readonly trust_level: "unknown" | "registered" | "verified" | "preferred" | "blocked";
  })[];
  readonly total: number;
}

/** Reads a seller's own card; null where it has none that can be read. Changes nothing. */
export interface GetSellerCardInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
}

export interface GetSellerCardOutput {
  readonly card: {
    readonly agent_id: string;
    readonly name: string;
    readonly url: string;
    readonly protocols: readonly (string)[];
    readonly capabilities: readonly ({
      readonly name: string;
      readonly description: string;
      readonly tags: readonly (string)[];
    })[];
    readonly trust_level: "unknown" | "registered" | "verified" | "preferred" | "blocked";
  } | null;
}

/** Lists the sellers that are asked, configured and added: name, protocols, whether they answer now, their trust, the price tier that each grants this buyer, and the last characters of the key for it. Changes nothing. */
export type ListSellersInput = Readonly<Record<string, unknown>>;

export interface ListSellersOutput {
  readonly sellers: readonly ({
    readonly url: string;
    readonly source: "configured" | "added";
    readonly name: string | null;
    readonly protocols: readonly (string)[];
    readonly adcp_version?: string | null | undefined;
    readonly reachable: boolean;
    readonly trust_level: string;
    readonly tier: string | null;
    readonly key_hint: string | null;
    readonly needs_reauth: boolean;
    readonly last_error: string | null;
  })[];
  readonly total: number;
}

/** Registers this buyer at the agent registry; registered says whether it was taken. */
export type RegisterBuyerInput = Readonly<Record<string, unknown>>;

export interface RegisterBuyerOutput {
  readonly registered: boolean;
  readonly agent_url: string;
}

/** Takes a seller that was added out again: briefs ask it no more. Its deals and its key stay. A seller of SELLER_ENDPOINTS is taken out there. */
export interface RemoveSellerInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
}

export interface RemoveSellerOutput {
  readonly seller_url: string;
  readonly removed: boolean;
}

/** Asks the registry whether an agent is registered, and how far it is trusted. Not registered and unknown where the registry does not answer. Changes nothing. */
export interface VerifySellerInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
}

export interface VerifySellerOutput {
  readonly agent_url: string;
  readonly is_registered: boolean;
  readonly trust_level: "unknown" | "registered" | "verified" | "preferred" | "blocked";
  readonly registry_id: string | null;
}

/** Asks a seller for a key in the name of this buyer's identity and stores it at once. Until the seller approves the identity the key may buy at the public tier only. */
export interface AcquireSellerKeyInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** Days until it expires; the seller's default. */
  readonly expires_in_days?: number | null | undefined;
}

export interface AcquireSellerKeyOutput {
  readonly seller_url: string;
  readonly masked_key: string;
  readonly header_type: "api_key" | "bearer";
  readonly key_id: string | null;
  readonly expires_at: string | null;
  readonly needs_reauth: boolean;
  readonly verified: boolean | null;
  readonly approval_id: string | null;
}

/** Lists the sellers that have a key, masked: stored ones, and those of SELLER_API_KEYS. needs_reauth marks a key that its seller refused. Changes nothing. */
export type ListSellerKeysInput = Readonly<Record<string, unknown>>;

export interface ListSellerKeysOutput {
  readonly keys: readonly ({
    readonly seller_url: string;
    readonly masked_key: string;
    readonly header_type: "api_key" | "bearer";
    readonly key_id: string | null;
    readonly expires_at: string | null;
    readonly needs_reauth: boolean;
    readonly source: "stored" | "configured";
  })[];
  readonly total: number;
}

/** Forgets the stored key for a seller; removed says whether there was one. The key stays valid at the seller. A key of SELLER_API_KEYS counts again. */
export interface RemoveSellerKeyInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
}

export interface RemoveSellerKeyOutput {
  readonly seller_url: string;
  readonly removed: boolean;
}

/** Replaces the key for a seller: acquires a new one, stores it, and then revokes the old one at the seller. With api_key that one is stored instead. When the seller gives no new key the old one stays. */
export interface RotateSellerKeyInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** A key that the seller issued already. */
  readonly api_key?: string | null | undefined;
  /** Days until it expires; the seller's default. */
  readonly expires_in_days?: number | null | undefined;
  /** Revoke the old key at the seller, where its id is known. */
  readonly revoke_old?: boolean | undefined;
}

export interface RotateSellerKeyOutput {
  readonly seller_url: string;
  readonly masked_key: string;
  readonly header_type: "api_key" | "bearer";
  readonly key_id: string | null;
  readonly expires_at: string | null;
  readonly needs_reauth: boolean;
  readonly old_key_revoked: boolean;
}

/** Stores the key for a seller, encrypted, in the place of the one before. It is sent with every call to the seller's scheme, host and port, and never shown again. */
export interface SetSellerKeyInput {
  /** Address of the seller, for example https://seller.example:8000. */
  readonly seller_url: string;
  /** The key that the seller issued. */
  readonly api_key: string;
  /** How it is sent: as X-Api-Key, or as Authorization: Bearer. */
  readonly header_type?: "api_key" | "bearer" | undefined;
}

export interface SetSellerKeyOutput {
  readonly seller_url: string;
  readonly masked_key: string;
  readonly header_type: "api_key" | "bearer";
  readonly key_id: string | null;
  readonly expires_at: string | null;
  readonly needs_reauth: boolean;
  readonly created: boolean;
}

/** Returns one event. Changes nothing. */
export interface GetEventInput {
  /** Id from list_events. */
  readonly event_id: string;
}

export interface GetEventOutput {
  readonly event_id: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly flow_id: string;
  readonly flow_type: string;
  readonly deal_id: string;
  readonly session_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Lists events, newest first unless reversed, a page at a time. The filters combine. Changes nothing. */
export interface ListEventsInput {
  /** Only events of this type. */
  readonly event_type?: "quote.requested" | "quote.received" | "deal.booked" | "deal.cancelled" | "campaign.created" | "budget.allocated" | "booking.submitted" | "inventory.discovered" | "negotiation.started" | "negotiation.round" | "negotiation.concluded" | "session.created" | "session.closed" | null | undefined;
  /** Only events of this flow: the id of a booking job. */
  readonly flow_id?: string | null | undefined;
  /** Only events of this session with a seller. */
  readonly session_id?: string | null | undefined;
  /** Only events of this deal. */
  readonly deal_id?: string | null | undefined;
  /** The other way round: the oldest first. */
  readonly reversed?: boolean | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface ListEventsOutput {
  readonly events: readonly ({
    readonly event_id: string;
    readonly event_type: string;
    readonly timestamp: string;
    readonly flow_id: string;
    readonly flow_type: string;
    readonly deal_id: string;
    readonly session_id: string;
    readonly payload: Readonly<Record<string, unknown>>;
    readonly metadata: Readonly<Record<string, unknown>>;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists the audit trail, newest first unless reversed: who did what through which door and when, which fields changed from what to what, and the hashes that chain the records. list_events tells what became of a record. A page reads at most 2,000 records, so one may hold fewer than `limit` and still have a next_cursor. Operators only; changes nothing. */
export interface ListAuditInput {
  /** Only this caller, for example key:key-1a2b3c4d or host. */
  readonly actor?: string | null | undefined;
  /** Only what a person of this agent did (an operator's key, or a command on the host), what buyers did (of a seller), or what the agent did by itself: what fell due, a campaign's own steps. */
  readonly by?: "person" | "buyer" | "machine" | null | undefined;
  /** Only this operation. */
  readonly operation?: string | null | undefined;
  /** Only what changed a field of this record, by its id. */
  readonly record_id?: string | null | undefined;
  /** At or after: a day (YYYY-MM-DD, UTC) or an instant. */
  readonly since?: string | null | undefined;
  /** At or before: a day or an instant, included. */
  readonly until?: string | null | undefined;
  /** The other way round: the oldest first. */
  readonly reversed?: boolean | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
}

export interface ListAuditOutput {
  readonly records: readonly ({
    readonly chain: string;
    readonly seq: number;
    readonly at: string;
    readonly actor: string;
    readonly actor_name: string | null;
    readonly by: "person" | "buyer" | "machine";
    readonly door: string;
    readonly operation: string;
    readonly request_id: string;
    readonly changed: readonly ({
      readonly kind: string;
      readonly id: string;
      readonly field: string;
      readonly from: string | number | boolean | null;
      readonly to: string | number | boolean | null;
    })[];
    readonly digest: string;
    readonly hash: string;
    readonly previous_hash: string;
    readonly erased?: true | undefined;
  })[];
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Walks the whole audit trail and says whether a record was changed, removed or moved; the time it takes grows with the trail. Operators only; changes nothing. */
export type VerifyAuditInput = Readonly<Record<string, unknown>>;

export interface VerifyAuditOutput {
  readonly whole: boolean;
  readonly records: number | null;
  readonly chains: number | null;
  readonly checked_at: string;
  readonly heads: readonly ({
    readonly chain: string;
    readonly records: number;
    readonly hash: string;
  })[];
  readonly first_broken: {
    readonly chain: string;
    readonly seq: number;
    readonly reason: string;
  } | null;
}

/** Issues an operator key and shows its secret once. Operators only; a key with the role senior is issued by a senior. Two active keys cannot have the same label, the empty one included. */
export interface CreateOperatorKeyInput {
  /** Who the key is for. */
  readonly label?: string | undefined;
  /** viewer reads only; senior may issue further senior keys. */
  readonly role?: "viewer" | "operator" | "senior" | undefined;
  /** Days until the key expires; left out or null: never. */
  readonly expires_in_days?: number | null | undefined;
}

export interface CreateOperatorKeyOutput {
  readonly key_id: string;
  readonly api_key: string | null;
  readonly role: string;
  readonly label: string;
  readonly expires_at: string | null;
  readonly warning: string;
}

/** Returns an operator key's record without its secret. Changes nothing. */
export interface GetOperatorKeyInput {
  /** Id of the key, not its secret. */
  readonly key_id: string;
}

export interface GetOperatorKeyOutput {
  readonly key_id: string;
  readonly key_prefix_hint: string;
  readonly role: string;
  readonly label: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked: boolean;
  readonly is_active: boolean;
  readonly last_used_at: string | null;
  readonly use_count: number;
}

/** Lists the operator keys in creation order, revoked ones included, without secrets. Changes nothing. */
export interface ListOperatorKeysInput {
  /** Keys on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** Keys to leave out from the start. */
  readonly offset?: number | undefined;
}

export interface ListOperatorKeysOutput {
  readonly keys: readonly ({
    readonly key_id: string;
    readonly key_prefix_hint: string;
    readonly role: string;
    readonly label: string;
    readonly created_at: string;
    readonly expires_at: string | null;
    readonly revoked: boolean;
    readonly is_active: boolean;
    readonly last_used_at: string | null;
    readonly use_count: number;
  })[];
  readonly count: number;
  readonly total: number;
}

/** Revokes an operator key for good: its next use answers 401. Revoking twice is the same as once. The last key and one's own may be revoked; a new one is then minted on the host. */
export interface RevokeOperatorKeyInput {
  /** Id of the key, not its secret. */
  readonly key_id: string;
}

export interface RevokeOperatorKeyOutput {
  readonly revoked: true;
  readonly key: {
    readonly key_id: string;
    readonly key_prefix_hint: string;
    readonly role: string;
    readonly label: string;
    readonly created_at: string;
    readonly expires_at: string | null;
    readonly revoked: boolean;
    readonly is_active: boolean;
    readonly last_used_at: string | null;
    readonly use_count: number;
  };
}

/** Tells which parts of the buyer are set up and what is still missing. Changes nothing. */
export type GetSetupStatusInput = Readonly<Record<string, unknown>>;

export interface GetSetupStatusOutput {
  readonly setup_complete: boolean;
  readonly checks: {
    readonly seller_endpoints_configured: boolean;
    readonly database_accessible: boolean;
    readonly identity_configured: boolean;
    readonly registry_configured: boolean;
    readonly keys_can_be_stored: boolean;
    readonly seller_keys_known: boolean;
  };
  readonly message: string;
}

/** Says who you are to this agent: role, label, key id and when the key ends. The price tier, and whether deals are for trying only, are each seller's own: list_sellers shows the tiers, a deal its sandbox. Changes nothing. */
export type GetCallerInput = Readonly<Record<string, unknown>>;

export interface GetCallerOutput {
  readonly principal: string;
  readonly role: string;
  readonly label: string | null;
  readonly key_id: string | null;
  readonly owner: string;
  readonly tier: string;
  readonly verified: boolean;
  readonly expires_at: string | null;
  readonly agent: string;
  readonly organization_name: string;
  readonly sandbox: boolean;
}

export type BuyerOperationTypes = {
  readonly create_booking: { readonly input: CreateBookingInput; readonly output: CreateBookingOutput };
  readonly get_booking: { readonly input: GetBookingInput; readonly output: GetBookingOutput };
  readonly get_booking_delivery: { readonly input: GetBookingDeliveryInput; readonly output: GetBookingDeliveryOutput };
  readonly get_negotiation_rounds: { readonly input: GetNegotiationRoundsInput; readonly output: GetNegotiationRoundsOutput };
  readonly list_bookings: { readonly input: ListBookingsInput; readonly output: ListBookingsOutput };
  readonly approve_all_bookings: { readonly input: ApproveAllBookingsInput; readonly output: ApproveAllBookingsOutput };
  readonly approve_booking: { readonly input: ApproveBookingInput; readonly output: ApproveBookingOutput };
  readonly cancel_booked_line: { readonly input: CancelBookedLineInput; readonly output: CancelBookedLineOutput };
  readonly cancel_booking: { readonly input: CancelBookingInput; readonly output: CancelBookingOutput };
  readonly replan_booking: { readonly input: ReplanBookingInput; readonly output: ReplanBookingOutput };
  readonly translate_audience: { readonly input: TranslateAudienceInput; readonly output: TranslateAudienceOutput };
  readonly compare_products: { readonly input: CompareProductsInput; readonly output: CompareProductsOutput };
  readonly search_products: { readonly input: SearchProductsInput; readonly output: SearchProductsOutput };
  readonly book_deal: { readonly input: BookDealInput; readonly output: BookDealOutput };
  readonly export_deals: { readonly input: ExportDealsInput; readonly output: ExportDealsOutput };
  readonly get_deal: { readonly input: GetDealInput; readonly output: GetDealOutput };
  readonly get_quote: { readonly input: GetQuoteInput; readonly output: GetQuoteOutput };
  readonly list_deals: { readonly input: ListDealsInput; readonly output: ListDealsOutput };
  readonly request_quote: { readonly input: RequestQuoteInput; readonly output: RequestQuoteOutput };
  readonly get_activity: { readonly input: GetActivityInput; readonly output: GetActivityOutput };
  readonly compare_sellers: { readonly input: CompareSellersInput; readonly output: CompareSellersOutput };
  readonly get_seller_media_kit: { readonly input: GetSellerMediaKitInput; readonly output: GetSellerMediaKitOutput };
  readonly get_seller_package: { readonly input: GetSellerPackageInput; readonly output: GetSellerPackageOutput };
  readonly list_seller_packages: { readonly input: ListSellerPackagesInput; readonly output: ListSellerPackagesOutput };
  readonly search_seller_media_kit: { readonly input: SearchSellerMediaKitInput; readonly output: SearchSellerMediaKitOutput };
  readonly close_seller_session: { readonly input: CloseSellerSessionInput; readonly output: CloseSellerSessionOutput };
  readonly list_seller_sessions: { readonly input: ListSellerSessionsInput; readonly output: ListSellerSessionsOutput };
  readonly open_seller_session: { readonly input: OpenSellerSessionInput; readonly output: OpenSellerSessionOutput };
  readonly send_seller_message: { readonly input: SendSellerMessageInput; readonly output: SendSellerMessageOutput };
  readonly add_seller: { readonly input: AddSellerInput; readonly output: AddSellerOutput };
  readonly discover_sellers: { readonly input: DiscoverSellersInput; readonly output: DiscoverSellersOutput };
  readonly get_seller_card: { readonly input: GetSellerCardInput; readonly output: GetSellerCardOutput };
  readonly list_sellers: { readonly input: ListSellersInput; readonly output: ListSellersOutput };
  readonly register_buyer: { readonly input: RegisterBuyerInput; readonly output: RegisterBuyerOutput };
  readonly remove_seller: { readonly input: RemoveSellerInput; readonly output: RemoveSellerOutput };
  readonly verify_seller: { readonly input: VerifySellerInput; readonly output: VerifySellerOutput };
  readonly acquire_seller_key: { readonly input: AcquireSellerKeyInput; readonly output: AcquireSellerKeyOutput };
  readonly list_seller_keys: { readonly input: ListSellerKeysInput; readonly output: ListSellerKeysOutput };
  readonly remove_seller_key: { readonly input: RemoveSellerKeyInput; readonly output: RemoveSellerKeyOutput };
  readonly rotate_seller_key: { readonly input: RotateSellerKeyInput; readonly output: RotateSellerKeyOutput };
  readonly set_seller_key: { readonly input: SetSellerKeyInput; readonly output: SetSellerKeyOutput };
  readonly get_event: { readonly input: GetEventInput; readonly output: GetEventOutput };
  readonly list_events: { readonly input: ListEventsInput; readonly output: ListEventsOutput };
  readonly list_audit: { readonly input: ListAuditInput; readonly output: ListAuditOutput };
  readonly verify_audit: { readonly input: VerifyAuditInput; readonly output: VerifyAuditOutput };
  readonly create_operator_key: { readonly input: CreateOperatorKeyInput; readonly output: CreateOperatorKeyOutput };
  readonly get_operator_key: { readonly input: GetOperatorKeyInput; readonly output: GetOperatorKeyOutput };
  readonly list_operator_keys: { readonly input: ListOperatorKeysInput; readonly output: ListOperatorKeysOutput };
  readonly revoke_operator_key: { readonly input: RevokeOperatorKeyInput; readonly output: RevokeOperatorKeyOutput };
  readonly get_setup_status: { readonly input: GetSetupStatusInput; readonly output: GetSetupStatusOutput };
  readonly get_caller: { readonly input: GetCallerInput; readonly output: GetCallerOutput };
};

export const buyerRoutes = {
  create_booking: { method: "POST", path: "/bookings", writes: true },
  get_booking: { method: "GET", path: "/bookings/:job_id", writes: false },
  get_booking_delivery: { method: "GET", path: "/bookings/:job_id/delivery", writes: false },
  get_negotiation_rounds: { method: "GET", path: "/bookings/:job_id/negotiations", writes: false },
  list_bookings: { method: "GET", path: "/bookings", writes: false, rows: "jobs" },
  approve_all_bookings: { method: "POST", path: "/bookings/:job_id/approve-all", writes: true },
  approve_booking: { method: "POST", path: "/bookings/:job_id/approve", writes: true },
  cancel_booked_line: { method: "POST", path: "/bookings/:job_id/lines/:line_id/cancel", writes: true },
  cancel_booking: { method: "POST", path: "/bookings/:job_id/cancel", writes: true },
  replan_booking: { method: "POST", path: "/bookings/:job_id/replan", writes: true },
  translate_audience: { method: "POST", path: "/audience/openrtb", writes: false },
  compare_products: { method: "POST", path: "/products/compare", writes: false },
  search_products: { method: "POST", path: "/products/search", writes: false },
  book_deal: { method: "POST", path: "/api/v1/deals", writes: true },
  export_deals: { method: "GET", path: "/api/v1/deals/export", writes: false },
  get_deal: { method: "GET", path: "/api/v1/deals/:deal_id", writes: false },
  get_quote: { method: "GET", path: "/api/v1/quotes/:quote_id", writes: false },
  list_deals: { method: "GET", path: "/api/v1/deals", writes: false, rows: "deals" },
  request_quote: { method: "POST", path: "/api/v1/quotes", writes: true },
  get_activity: { method: "GET", path: "/api/v1/activity", writes: false },
  compare_sellers: { method: "POST", path: "/sellers/compare", writes: false },
  get_seller_media_kit: { method: "GET", path: "/sellers/media-kit", writes: false },
  get_seller_package: { method: "GET", path: "/sellers/media-kit/packages/:package_id", writes: false },
  list_seller_packages: { method: "POST", path: "/sellers/media-kit/packages", writes: false },
  search_seller_media_kit: { method: "POST", path: "/sellers/media-kit/search", writes: false },
  close_seller_session: { method: "POST", path: "/sellers/sessions/close", writes: true },
  list_seller_sessions: { method: "GET", path: "/sellers/sessions", writes: false, rows: "sessions" },
  open_seller_session: { method: "POST", path: "/sellers/sessions", writes: true },
  send_seller_message: { method: "POST", path: "/sellers/sessions/messages", writes: true },
  add_seller: { method: "POST", path: "/sellers", writes: true },
  discover_sellers: { method: "GET", path: "/registry/sellers", writes: false },
  get_seller_card: { method: "GET", path: "/registry/card", writes: false },
  list_sellers: { method: "GET", path: "/sellers", writes: false },
  register_buyer: { method: "POST", path: "/registry/registration", writes: true },
  remove_seller: { method: "DELETE", path: "/sellers", writes: true },
  verify_seller: { method: "GET", path: "/registry/verify", writes: false },
  acquire_seller_key: { method: "POST", path: "/sellers/keys/acquire", writes: true },
  list_seller_keys: { method: "GET", path: "/sellers/keys", writes: false },
  remove_seller_key: { method: "DELETE", path: "/sellers/keys", writes: true },
  rotate_seller_key: { method: "POST", path: "/sellers/keys/rotate", writes: true },
  set_seller_key: { method: "POST", path: "/sellers/keys", writes: true },
  get_event: { method: "GET", path: "/events/:event_id", writes: false },
  list_events: { method: "GET", path: "/events", writes: false, rows: "events" },
  list_audit: { method: "GET", path: "/api/v1/audit", writes: false, rows: "records" },
  verify_audit: { method: "GET", path: "/api/v1/audit/verification", writes: false },
  create_operator_key: { method: "POST", path: "/auth/api-keys/operator", writes: true },
  get_operator_key: { method: "GET", path: "/auth/api-keys/:key_id", writes: false },
  list_operator_keys: { method: "GET", path: "/auth/api-keys", writes: false, rows: "keys" },
  revoke_operator_key: { method: "DELETE", path: "/auth/api-keys/:key_id", writes: true },
  get_setup_status: { method: "GET", path: "/api/v1/setup/status", writes: false },
  get_caller: { method: "GET", path: "/api/v1/caller", writes: false },
} as const;
