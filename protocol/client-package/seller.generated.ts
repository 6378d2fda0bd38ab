// Made by `npm run gen` from the contracts of the seller's operations.

/** Returns one product of the catalog with its targeting, deal types and minimum volume, priced as list_products does. Use it when the product id is known. Changes nothing. */
export interface GetProductInput {
  /** Id from list_products. */
  readonly product_id: string;
}

export interface GetProductOutput {
  readonly product_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly inventory_type: string;
  readonly base_cpm: number | null;
  readonly final_cpm?: number | null | undefined;
  readonly floor_cpm: number | null;
  readonly accept_from?: number | string | null | undefined;
  readonly price_range?: string | null | undefined;
  readonly currency: string;
  readonly deal_types: readonly (string)[];
  readonly seller_organization_id: string;
  readonly base_price: {
    readonly amount_micros: number;
    readonly currency: string;
  } | null;
  readonly pricing_type: string;
  readonly pricing_model: string;
  readonly delivery_type: string;
  readonly domain: string | null;
  readonly ad_formats: readonly (string)[];
  readonly audience_targeting: Readonly<Record<string, readonly (string)[]>> | null;
  readonly ad_product_targeting: Readonly<Record<string, readonly (string)[]>> | null;
  readonly content_targeting: Readonly<Record<string, readonly (string)[]>> | null;
  readonly available_impressions: number | null;
  readonly commercial_terms: Readonly<Record<string, unknown>> | null;
  readonly ext: {
    readonly inventory_type: string;
    readonly floor_cpm: number | null;
    readonly minimum_impressions: number;
    readonly deal_types: readonly (string)[];
    readonly audience_capabilities: readonly ({
      readonly type: "standard" | "contextual" | "agentic";
      readonly taxonomy: "iab-audience" | "iab-content" | "agentic-audiences";
      readonly versions: readonly (string)[];
      readonly roles: readonly ("primary" | "constraints" | "extensions" | "exclusions")[];
    })[];
  };
  readonly planned_changes?: readonly ({
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
    readonly changed_by: string;
    readonly changed_at: string;
    readonly reason: string;
    readonly before: {
      readonly base_cpm: number | null;
      readonly floor_cpm: number | null;
      readonly accept_from: number | string | null;
      readonly maximum_impressions: number | null;
      readonly until: string;
    };
    readonly after: {
      readonly base_cpm: number | null;
      readonly floor_cpm: number | null;
      readonly accept_from: number | string | null;
      readonly maximum_impressions: number | null;
    };
  })[] | undefined;
}

/** Lists the products on sale, in catalog order, a page at a time. Prices are per thousand impressions in the product's currency: without a key a range, with a key the list price and your own. Changes nothing. */
export interface ListProductsInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface ListProductsOutput {
  readonly products: readonly ({
    readonly product_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly inventory_type: string;
    readonly base_cpm: number | null;
    readonly final_cpm?: number | null | undefined;
    readonly floor_cpm: number | null;
    readonly accept_from?: number | string | null | undefined;
    readonly price_range?: string | null | undefined;
    readonly currency: string;
    readonly deal_types: readonly (string)[];
    readonly seller_organization_id: string;
    readonly base_price: {
      readonly amount_micros: number;
      readonly currency: string;
    } | null;
    readonly pricing_type: string;
    readonly pricing_model: string;
    readonly delivery_type: string;
    readonly domain: string | null;
    readonly ad_formats: readonly (string)[];
    readonly audience_targeting: Readonly<Record<string, readonly (string)[]>> | null;
    readonly ad_product_targeting: Readonly<Record<string, readonly (string)[]>> | null;
    readonly content_targeting: Readonly<Record<string, readonly (string)[]>> | null;
    readonly available_impressions: number | null;
    readonly commercial_terms: Readonly<Record<string, unknown>> | null;
    readonly ext: {
      readonly inventory_type: string;
      readonly floor_cpm: number | null;
      readonly minimum_impressions: number;
      readonly deal_types: readonly (string)[];
      readonly audience_capabilities: readonly ({
        readonly type: "standard" | "contextual" | "agentic";
        readonly taxonomy: "iab-audience" | "iab-content" | "agentic-audiences";
        readonly versions: readonly (string)[];
        readonly roles: readonly ("primary" | "constraints" | "extensions" | "exclusions")[];
      })[];
    };
  })[];
  readonly total_count: number;
  readonly limit: number;
  readonly offset: number;
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Tells how many impressions are left of one product (product_id, start_date, end_date), or of several in the OpenDirect form, for a time, and what they cost you per thousand. Nothing is held: book to hold. Changes nothing. */
export interface CheckAvailsInput {
  /** One product or package; needs no account. */
  readonly product_id?: string | null | undefined;
  /** First day; today when left out. */
  readonly start_date?: string | null | undefined;
  /** Last day, included; by default 30 days later. */
  readonly end_date?: string | null | undefined;
  /** The same, with startdate and enddate. */
  readonly productid?: string | null | undefined;
  /** Products; for the OpenDirect form, which wins. */
  readonly productids?: readonly (string)[] | null | undefined;
  /** Your account; required in the OpenDirect form. */
  readonly accountid?: string | null | undefined;
  /** Your brand; required in the OpenDirect form. */
  readonly advertiserbrandid?: string | null | undefined;
  /** ISO 8601 date or time, UTC without an offset. */
  readonly startdate?: string | null | undefined;
  /** ISO 8601 date or time, not included. */
  readonly enddate?: string | null | undefined;
  /** Impressions wanted. */
  readonly requestedImpressions?: number | null | undefined;
  /** Budget in units, where no impressions are given. */
  readonly budget?: number | null | undefined;
  /** The product's own currency, or nothing. */
  readonly currency?: string | null | undefined;
  /** Does not narrow the answer. */
  readonly targeting?: unknown;
  readonly producttargeting?: readonly ({
    readonly name?: string | null | undefined;
    readonly type?: string | null | undefined;
    readonly datasource?: string | null | undefined;
    readonly target: string;
    readonly targetvalues: readonly (string)[];
  })[] | null | undefined;
  readonly availabilityfields?: readonly (string)[] | null | undefined;
  readonly grouping?: readonly (string)[] | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface CheckAvailsOutput {
  readonly product_id?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly status_text?: string | undefined;
  readonly next_step?: string | undefined;
  readonly available_impressions?: number | null | undefined;
  readonly unlimited?: boolean | undefined;
  readonly requested_impressions?: number | undefined;
  readonly is_enough?: boolean | undefined;
  readonly cpm?: number | undefined;
  readonly currency?: string | undefined;
  readonly total_cost?: number | undefined;
  readonly deal_types?: readonly (string)[] | undefined;
  readonly targeting?: readonly (string)[] | undefined;
  readonly productid?: string | undefined;
  readonly availableImpressions?: number | undefined;
  readonly guaranteedImpressions?: number | undefined;
  readonly estimatedCpm?: number | undefined;
  readonly totalCost?: number | undefined;
  readonly availableTargeting?: readonly (string)[] | undefined;
  readonly avails?: readonly ({
    readonly productid: string;
    readonly accountid: string;
    readonly availability: number;
    readonly available_impressions?: number | null | undefined;
    readonly unlimited?: boolean | undefined;
    readonly availsstatus: {
      readonly status: string;
      readonly reason?: string | undefined;
    };
    readonly currency: string;
    readonly price: number;
    readonly startdate: string;
    readonly enddate: string;
  })[] | undefined;
}

/** A calendar of what is left: for up to 20 products and 731 days, by day or week, the cap, what guaranteed deals hold and what is left. A deal holds its whole volume on each day of its flight, so days are not added up: available_impressions is what a flight over all these days can have. Changes nothing. */
export interface GetAvailabilityInput {
  /** Ids from list_products, or of packages. */
  readonly product_id: readonly (string)[];
  /** First day, YYYY-MM-DD (UTC); today when left out. */
  readonly from?: string | null | undefined;
  /** Last day, included; 30 days after the first when left out. */
  readonly to?: string | null | undefined;
  /** Weeks start on Monday and show their fullest day. */
  readonly step?: "day" | "week" | undefined;
}

export interface GetAvailabilityOutput {
  readonly from: string;
  readonly to: string;
  readonly step: "day" | "week";
  readonly status_text?: string | undefined;
  readonly next_step?: string | undefined;
  readonly products: readonly ({
    readonly product_id: string;
    readonly name: string;
    readonly cap: number | null;
    readonly available_impressions: number | null;
    readonly unlimited: boolean;
    readonly days: readonly ({
      readonly date: string;
      readonly held: number | null;
      readonly left: number | null;
    })[];
  })[];
}

/** Answers a question about the inventory in words with exactly one of four blocks: catalog, pricing, availability or targeting, whichever the words ask for, as far as your tier may see. Use list_products for the whole list, check_avails for one product and its dates. Changes nothing. */
export interface DiscoverInventoryInput {
  /** The question, for example: what CTV inventory is available? */
  readonly query: string;
  /** inventory_type (one or a list) narrows the answer; not_used names what was not followed. */
  readonly filters?: {
    readonly inventory_type?: string | readonly (string)[] | null | undefined;
  } | null | undefined;
  /** First day for availability, YYYY-MM-DD; today when left out. */
  readonly flight_start?: string | null | undefined;
  /** Last day, included; 30 days after the first when left out. */
  readonly flight_end?: string | null | undefined;
  /** Ignored: the API key decides the tier. */
  readonly buyer_tier?: string | null | undefined;
  /** Ignored: the API key decides what is shown. */
  readonly agency_id?: string | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
  /** Products in the answer, 1 to 500. */
  readonly limit?: number | undefined;
  /** Products to leave out from the start. */
  readonly offset?: number | undefined;
}

export interface DiscoverInventoryOutput {
  readonly access_tier: string;
  readonly tier_config: {
    readonly tier: string;
    readonly tier_name: string;
    readonly description: string;
    readonly show_exact_price: boolean;
    readonly price_range_variance: number;
    readonly tier_discount: number;
    readonly negotiation_enabled: boolean;
    readonly premium_inventory_access: boolean;
    readonly custom_deals_enabled: boolean;
    readonly volume_discounts_enabled: boolean;
    readonly avails_granularity: string;
  };
  readonly catalog?: readonly ({
    readonly product_id: string;
    readonly name: string;
  })[] | undefined;
  readonly pricing?: {
    readonly products: readonly ({
      readonly product_id: string;
      readonly name: string;
    })[];
  } | undefined;
  readonly availability?: {
    readonly granularity: string;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly products: readonly ({
      readonly product_id: string;
      readonly name: string;
    })[];
  } | undefined;
  readonly targeting?: Readonly<Record<string, unknown>> | undefined;
  readonly status_text?: string | undefined;
  readonly next_step?: string | undefined;
  readonly not_used?: readonly (string)[] | undefined;
}

/** Withdraws an available quote, so that it can no longer be booked. Operators only; cannot be undone. */
export interface DeclineQuoteInput {
  /** Id from request_quote. */
  readonly quote_id: string;
  /** Why, in words that the buyer may read. */
  readonly reason?: string | undefined;
}

export interface DeclineQuoteOutput {
  readonly quote_id: string;
  readonly status: "available" | "booked" | "expired" | "declined";
  readonly product: {
    readonly product_id: string;
    readonly name: string;
    readonly inventory_type?: string | null | undefined;
  };
  readonly pricing: {
    readonly base_cpm: number;
    readonly tier_discount_pct: number;
    readonly volume_discount_pct: number;
    readonly final_cpm: number;
    readonly currency: string;
    readonly pricing_model: string;
    readonly rationale: string;
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
  };
  readonly terms: {
    readonly impressions?: number | null | undefined;
    readonly flight_start: string;
    readonly flight_end?: string | null | undefined;
    readonly guaranteed: boolean;
    readonly asked_flight_start?: string | undefined;
  };
  readonly availability?: {
    readonly inventory_available: boolean;
    readonly estimated_fill_rate?: number | null | undefined;
    readonly competing_demand?: string | null | undefined;
  } | null | undefined;
  readonly deal_type: string;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly buyer_tier: string;
  readonly seller_id?: string | null | undefined;
  readonly expires_at: string;
  readonly created_at: string;
}

/** Prices a product for you, in units of its currency per thousand impressions, with the discounts as fractions (0.15 is 15 percent). Stores nothing and holds nothing; ask for a quote to book at the price. */
export interface GetPricingInput {
  /** Id from list_products, or of a package. */
  readonly product_id: string;
  /** Operators only: the tier to price for. Buyers are priced at their own tier. */
  readonly buyer_tier?: "public" | "seat" | "agency" | "advertiser" | null | undefined;
  /** Ignored: the identity of the API key decides the price. */
  readonly agency_id?: string | null | undefined;
  /** Ignored, as agency_id. */
  readonly advertiser_id?: string | null | undefined;
  /** Impressions, for the volume discount. */
  readonly volume?: number | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface GetPricingOutput {
  readonly product_id: string;
  readonly base_price: number;
  readonly final_price: number;
  readonly currency: string;
  readonly tier_discount: number;
  readonly volume_discount: number;
  readonly rationale: string;
}

/** Returns a quote with its current status. A quote older than its 24 hours that was not booked answers 410: request a new one. Changes nothing. */
export interface GetQuoteInput {
  /** Id from request_quote. */
  readonly quote_id: string;
}

export interface GetQuoteOutput {
  readonly quote_id: string;
  readonly status: "available" | "booked" | "expired" | "declined";
  readonly product: {
    readonly product_id: string;
    readonly name: string;
    readonly inventory_type?: string | null | undefined;
  };
  readonly pricing: {
    readonly base_cpm: number;
    readonly tier_discount_pct: number;
    readonly volume_discount_pct: number;
    readonly final_cpm: number;
    readonly currency: string;
    readonly pricing_model: string;
    readonly rationale: string;
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
  };
  readonly terms: {
    readonly impressions?: number | null | undefined;
    readonly flight_start: string;
    readonly flight_end?: string | null | undefined;
    readonly guaranteed: boolean;
    readonly asked_flight_start?: string | undefined;
  };
  readonly availability?: {
    readonly inventory_available: boolean;
    readonly estimated_fill_rate?: number | null | undefined;
    readonly competing_demand?: string | null | undefined;
  } | null | undefined;
  readonly deal_type: string;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly buyer_tier: string;
  readonly seller_id?: string | null | undefined;
  readonly expires_at: string;
  readonly created_at: string;
}

/** Issues a quote that holds a price for 24 hours: per thousand impressions, in units of the product's currency. Use it before booking, and to learn what a volume or budget costs over a flight; holds no inventory. Next: book_deal, or negotiate where your key may. */
export interface RequestQuoteInput {
  /** Id from list_products, or of a package. */
  readonly product_id: string;
  /** PG (guaranteed), PD (preferred) or PA (private auction). */
  readonly deal_type: "PG" | "PD" | "PA";
  /** Impressions; for PG this or budget; else for the volume discount. */
  readonly impressions?: number | null | undefined;
  /** Instead of impressions: what to spend, in units; the quote is for the most that it buys. */
  readonly budget?: number | null | undefined;
  /** First day, YYYY-MM-DD (UTC); today when left out. A flight that began is sold from today on. */
  readonly flight_start?: string | null | undefined;
  /** Last day, YYYY-MM-DD; 30 days after the start when left out. */
  readonly flight_end?: string | null | undefined;
  /** The price you wish, in units per thousand; taken when it can be, else the computed price stands. */
  readonly target_cpm?: number | null | undefined;
  /** Currency of target_cpm and budget; the product's own is the only one taken. */
  readonly currency?: string | null | undefined;
  /** The medium, for your own records; digital when left out. linear_tv is not sold yet. */
  readonly media_type?: string | null | undefined;
  /** Who the buyer says to be; the identity of the API key decides the price, never this. */
  readonly buyer_identity?: {
    readonly seat_id?: string | null | undefined;
    readonly agency_id?: string | null | undefined;
    readonly advertiser_id?: string | null | undefined;
    readonly dsp_platform?: string | null | undefined;
  } | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface RequestQuoteOutput {
  readonly quote_id: string;
  readonly status: "available" | "booked" | "expired" | "declined";
  readonly product: {
    readonly product_id: string;
    readonly name: string;
    readonly inventory_type?: string | null | undefined;
  };
  readonly pricing: {
    readonly base_cpm: number;
    readonly tier_discount_pct: number;
    readonly volume_discount_pct: number;
    readonly final_cpm: number;
    readonly currency: string;
    readonly pricing_model: string;
    readonly rationale: string;
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
  };
  readonly terms: {
    readonly impressions?: number | null | undefined;
    readonly flight_start: string;
    readonly flight_end?: string | null | undefined;
    readonly guaranteed: boolean;
    readonly asked_flight_start?: string | undefined;
  };
  readonly availability?: {
    readonly inventory_available: boolean;
    readonly estimated_fill_rate?: number | null | undefined;
    readonly competing_demand?: string | null | undefined;
  } | null | undefined;
  readonly deal_type: string;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly buyer_tier: string;
  readonly seller_id?: string | null | undefined;
  readonly expires_at: string;
  readonly created_at: string;
}

/** Finds offers for a brief, as find_offers does, and splits a budget over the best of them: a plan that binds nobody. Refine it with refine_plan, which also commits its prices; then buy it with book_media_buy. */
export interface DraftPlanInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** What the campaign is about. */
  readonly brief: string;
  /** Only these. */
  readonly offer_ids?: readonly (string)[] | null | undefined;
  /** Only these: PG is guaranteed, PA an auction. */
  readonly deal_types?: readonly ("PG" | "PD" | "PA")[] | null | undefined;
  /** Only these, for example ctv. */
  readonly inventory_types?: readonly (string)[] | null | undefined;
  /** Only what takes one of these formats. */
  readonly formats?: readonly (string)[] | null | undefined;
  /** Prices are those of flights that start on this day; today when left out. */
  readonly flight_start?: string | null | undefined;
}

export interface DraftPlanOutput {
  readonly offers: readonly ({
    readonly offer_id: string;
    readonly product_id: string;
    readonly deal_type: "PG" | "PD" | "PA";
    readonly name: string;
    readonly description: string | null;
    readonly inventory_type: string;
    readonly publisher_domain: string;
    readonly currency: string;
    readonly formats: readonly (string)[];
    readonly minimum_impressions: number;
    readonly options: readonly ({
      readonly option_id: string;
      readonly price_kind: "fixed" | "least";
      readonly price: number | null;
      readonly minimum_budget: number | null;
    })[];
    readonly price_range: string | null;
    readonly fit: number | null;
  })[];
  readonly plans: readonly ({
    readonly plan_id: string;
    readonly name: string;
    readonly status: "draft" | "committed" | "bought" | "expired";
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly currency: string;
    readonly minimum_budget: number;
    readonly expires_at: string;
    readonly lines: readonly ({
      readonly offer_id: string;
      readonly option_id: string;
      readonly name: string;
      readonly share: number;
      readonly price: number;
    })[];
    readonly revision: number;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists what can be bought in a media buy, a page at a time: each product once per deal type, with formats, least budget and your own price per thousand impressions. A text ranks, and hides nothing. Changes nothing. */
export interface FindOffersInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** What the campaign is about; the best fit comes first. */
  readonly text?: string | null | undefined;
  /** Only these. */
  readonly offer_ids?: readonly (string)[] | null | undefined;
  /** Only these: PG is guaranteed, PA an auction. */
  readonly deal_types?: readonly ("PG" | "PD" | "PA")[] | null | undefined;
  /** Only these, for example ctv. */
  readonly inventory_types?: readonly (string)[] | null | undefined;
  /** Only what takes one of these formats. */
  readonly formats?: readonly (string)[] | null | undefined;
  /** Prices are those of flights that start on this day; today when left out. */
  readonly flight_start?: string | null | undefined;
}

export interface FindOffersOutput {
  readonly offers: readonly ({
    readonly offer_id: string;
    readonly product_id: string;
    readonly deal_type: "PG" | "PD" | "PA";
    readonly name: string;
    readonly description: string | null;
    readonly inventory_type: string;
    readonly publisher_domain: string;
    readonly currency: string;
    readonly formats: readonly (string)[];
    readonly minimum_impressions: number;
    readonly options: readonly ({
      readonly option_id: string;
      readonly price_kind: "fixed" | "least";
      readonly price: number | null;
      readonly minimum_budget: number | null;
    })[];
    readonly price_range: string | null;
    readonly fit: number | null;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Refines what was found, change by change: offers are included or left out, the shares of a plan moved by words as shift 60% of the budget to CTV, or drop the display. finalize holds a plan's prices for a day. What cannot be done is said for each change; all that can is done together. */
export interface RefinePlanInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  readonly changes: readonly ({
    readonly scope: "all" | "offer" | "plan";
    readonly offer_id?: string | null | undefined;
    readonly plan_id?: string | null | undefined;
    readonly action?: "include" | "omit" | "more_like_this" | "finalize" | null | undefined;
    /** What is wanted, in words. */
    readonly ask?: string | null | undefined;
  })[];
  /** Only these. */
  readonly offer_ids?: readonly (string)[] | null | undefined;
  /** Only these: PG is guaranteed, PA an auction. */
  readonly deal_types?: readonly ("PG" | "PD" | "PA")[] | null | undefined;
  /** Only these, for example ctv. */
  readonly inventory_types?: readonly (string)[] | null | undefined;
  /** Only what takes one of these formats. */
  readonly formats?: readonly (string)[] | null | undefined;
  /** Prices are those of flights that start on this day; today when left out. */
  readonly flight_start?: string | null | undefined;
}

export interface RefinePlanOutput {
  readonly offers: readonly ({
    readonly offer_id: string;
    readonly product_id: string;
    readonly deal_type: "PG" | "PD" | "PA";
    readonly name: string;
    readonly description: string | null;
    readonly inventory_type: string;
    readonly publisher_domain: string;
    readonly currency: string;
    readonly formats: readonly (string)[];
    readonly minimum_impressions: number;
    readonly options: readonly ({
      readonly option_id: string;
      readonly price_kind: "fixed" | "least";
      readonly price: number | null;
      readonly minimum_budget: number | null;
    })[];
    readonly price_range: string | null;
    readonly fit: number | null;
  })[];
  readonly plans: readonly ({
    readonly plan_id: string;
    readonly name: string;
    readonly status: "draft" | "committed" | "bought" | "expired";
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly currency: string;
    readonly minimum_budget: number;
    readonly expires_at: string;
    readonly lines: readonly ({
      readonly offer_id: string;
      readonly option_id: string;
      readonly name: string;
      readonly share: number;
      readonly price: number;
    })[];
    readonly revision: number;
  })[];
  readonly applied: readonly ({
    readonly scope: string;
    readonly offer_id: string | null;
    readonly plan_id: string | null;
    readonly status: "applied" | "partial" | "unable";
    readonly notes: string | null;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Returns a proposal with its current status, prices and errors. Changes nothing. */
export interface GetProposalInput {
  /** Id from submit_proposal. */
  readonly proposal_id: string;
}

export interface GetProposalOutput {
  readonly proposal_id: string;
  readonly recommendation: "accept" | "counter" | "reject" | null;
  readonly status: string;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly counter_terms?: {
    readonly proposed_price: number;
    readonly floor_price?: number | null | undefined;
    readonly max_impressions?: number | null | undefined;
    readonly reason: string;
    readonly negotiation_id?: string | null | undefined;
    readonly round_number: number;
    readonly action: string;
  } | null | undefined;
  readonly approval_id?: string | null | undefined;
  readonly asked_start_date?: string | undefined;
  readonly pricing_verified: boolean;
  readonly pricing_verification_reason: string;
  readonly errors: readonly ({
    readonly stage: string;
    readonly code: string;
    readonly detail: string;
  })[];
}

/** Offers a price per thousand impressions, in units of the product's currency, for a volume and a flight. Use it to name your own price; request_quote takes the seller's. The answer accepts, counters or rejects at once, or waits for an approval. A buyer's dry run checks the terms and shows no answer to a price below the buyer's own. Next: generate_deal books an accepted one; negotiate answers a counter. */
export interface SubmitProposalInput {
  /** Id from list_products, or of a package. */
  readonly product_id: string;
  /** PG (guaranteed), PD (preferred) or PA (private auction). */
  readonly deal_type: "PG" | "PD" | "PA";
  /** The price you offer, in units per thousand impressions. */
  readonly price: number;
  /** Impressions that you want. */
  readonly impressions: number;
  /** First day of the flight, YYYY-MM-DD (UTC). */
  readonly start_date: string;
  /** Last day of the flight, YYYY-MM-DD (UTC). */
  readonly end_date: string;
  /** Currency of price; the product's own is the only one taken. */
  readonly currency?: string | null | undefined;
  /** The quote that the proposal is about; its terms must be the same. */
  readonly quote_id?: string | null | undefined;
  readonly buyer_id?: string | null | undefined;
  readonly agency_id?: string | null | undefined;
  readonly advertiser_id?: string | null | undefined;
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
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface SubmitProposalOutput {
  readonly proposal_id: string;
  readonly recommendation: "accept" | "counter" | "reject" | null;
  readonly status: string;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly counter_terms?: {
    readonly proposed_price: number;
    readonly floor_price?: number | null | undefined;
    readonly max_impressions?: number | null | undefined;
    readonly reason: string;
    readonly negotiation_id?: string | null | undefined;
    readonly round_number: number;
    readonly action: string;
  } | null | undefined;
  readonly approval_id?: string | null | undefined;
  readonly asked_start_date?: string | undefined;
  readonly pricing_verified: boolean;
  readonly pricing_verification_reason: string;
  readonly errors: readonly ({
    readonly stage: string;
    readonly code: string;
    readonly detail: string;
  })[];
}

/** Answers the seller's offer on a proposal or on a quote: with a price of your own, in units per thousand impressions, or by accepting or rejecting. What is agreed is the price that the deal is booked at. */
export interface CounterProposalInput {
  /** Id from submit_proposal, or the id of a quote. */
  readonly proposal_id: string;
  /** The price you offer, in units per thousand impressions. */
  readonly buyer_price?: number | null | undefined;
  /** The same as buyer_price. */
  readonly price?: number | null | undefined;
  /** accept takes the seller's last price, reject or decline ends the negotiation. */
  readonly action?: "counter" | "final_offer" | "accept" | "reject" | "decline" | undefined;
  /** Currency of the price; the product's own is the only one taken. */
  readonly currency?: string | null | undefined;
  /** The quote that the proposal is about. */
  readonly quote_id?: string | null | undefined;
  readonly buyer_tier?: string | null | undefined;
  readonly agency_id?: string | null | undefined;
  readonly advertiser_id?: string | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface CounterProposalOutput {
  readonly negotiation_id: string;
  readonly round_number: number;
  readonly action: string;
  readonly buyer_price: number | null;
  readonly seller_price: number;
  readonly concession_pct: number;
  readonly cumulative_concession_pct: number;
  readonly rationale: string;
  readonly status: string;
  readonly rounds_remaining: number;
}

/** Returns what was offered so far about a proposal or a quote, round by round. Changes nothing. */
export interface GetNegotiationInput {
  /** Id from submit_proposal, or the id of a quote. */
  readonly proposal_id: string;
}

export interface GetNegotiationOutput {
  readonly negotiation_id: string;
  readonly proposal_id?: string | null | undefined;
  readonly product_id: string;
  readonly buyer_tier: string;
  readonly strategy?: string | null | undefined;
  readonly base_price: number;
  readonly floor_price?: number | null | undefined;
  readonly status: string;
  readonly total_rounds: number;
  readonly max_rounds?: number | null | undefined;
  readonly rounds: readonly ({
    readonly round_number: number;
    readonly buyer_price: number | null;
    readonly seller_price: number;
    readonly action: string;
    readonly concession_pct: number;
    readonly cumulative_concession_pct: number;
    readonly rationale: string;
    readonly buyer_rationale?: string | null | undefined;
    readonly timestamp?: string | null | undefined;
  })[];
  readonly started_at: string;
  readonly completed_at?: string | null | undefined;
  readonly package_id?: string | null | undefined;
}

/** Returns where a negotiation stands: its last round, all rounds, and how many are left. Changes nothing. */
export interface GetNegotiationStatusInput {
  readonly negotiation_id: string;
}

export interface GetNegotiationStatusOutput {
  readonly negotiation_id: string;
  readonly status: "active" | "accepted" | "rejected" | "expired";
  readonly last_offer?: boolean | null | undefined;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly round?: {
    readonly round_number: number;
    readonly buyer_price: number | null;
    readonly seller_price: number;
    readonly action: string;
    readonly concession_pct: number;
    readonly cumulative_concession_pct: number;
    readonly rationale: string;
    readonly buyer_rationale?: string | null | undefined;
    readonly timestamp?: string | null | undefined;
  } | null | undefined;
  readonly rounds_remaining: number;
  readonly waits_for_approval?: boolean | undefined;
}

/** Sends one message of a negotiation: an offer, a final offer, an acceptance of the seller's last price, or a rejection. Name the negotiation, or the proposal or quote that it is about; the first message about a quote opens it. Prices in units per thousand impressions. Accepting books nothing: at the agreed price book_deal books a quote, generate_deal a proposal. A buyer's dry run checks an offer and shows no answer to it; an operator may only ask with a dry run what the rules would answer that buyer. */
export interface NegotiateInput {
  /** What you say. */
  readonly action: "counter" | "final_offer" | "accept" | "reject";
  readonly negotiation_id?: string | null | undefined;
  readonly proposal_id?: string | null | undefined;
  readonly quote_id?: string | null | undefined;
  /** The round that you answer in; refused where another is next. */
  readonly round_number?: number | null | undefined;
  /** Your offer; with accept the price that you take to be agreed. */
  readonly buyer_price?: number | null | undefined;
  /** Currency of the price; the product's own is the only one taken. */
  readonly currency?: string | null | undefined;
  /** Who the buyer says to be; the identity of the API key decides the price, never this. */
  readonly buyer_identity?: {
    readonly seat_id?: string | null | undefined;
    readonly agency_id?: string | null | undefined;
    readonly advertiser_id?: string | null | undefined;
    readonly dsp_platform?: string | null | undefined;
  } | null | undefined;
  /** Free text for the seller. */
  readonly rationale?: string | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface NegotiateOutput {
  readonly negotiation_id: string;
  readonly status: "active" | "accepted" | "rejected" | "expired";
  readonly last_offer?: boolean | null | undefined;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly round?: {
    readonly round_number: number;
    readonly buyer_price: number | null;
    readonly seller_price: number;
    readonly action: string;
    readonly concession_pct: number;
    readonly cumulative_concession_pct: number;
    readonly rationale: string;
    readonly buyer_rationale?: string | null | undefined;
    readonly timestamp?: string | null | undefined;
  } | null | undefined;
  readonly rounds_remaining: number;
  readonly waits_for_approval?: boolean | undefined;
}

/** Closes a session; it can still be read, but nothing more can be said in it. Cannot be undone. */
export interface CloseSessionInput {
  /** Id from create_session. */
  readonly session_id: string;
}

export interface CloseSessionOutput {
  readonly session_id: string;
  readonly status: string;
}

/** Opens a session: a conversation in plain English that lives for seven days, however much is said. Only its buyer can read and continue it; one opened without a key belongs to whoever holds its id. */
export interface CreateSessionInput {
  readonly seat_id?: string | null | undefined;
  readonly agency_id?: string | null | undefined;
  readonly advertiser_id?: string | null | undefined;
  readonly name?: string | null | undefined;
  readonly dsp_platform?: string | null | undefined;
  /** The same members, in one object. */
  readonly buyer_identity?: {
    readonly seat_id?: string | null | undefined;
    readonly agency_id?: string | null | undefined;
    readonly advertiser_id?: string | null | undefined;
    readonly name?: string | null | undefined;
    readonly dsp_platform?: string | null | undefined;
  } | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface CreateSessionOutput {
  readonly session_id: string;
  readonly status: string;
  readonly buyer_pricing_key: string;
  readonly buyer_name?: string | null | undefined;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Returns a session with all that was said in it and what it came to. Changes nothing. */
export interface GetSessionInput {
  /** Id from create_session. */
  readonly session_id: string;
}

export interface GetSessionOutput {
  readonly session_id: string;
  readonly status: string;
  readonly buyer_pricing_key: string;
  readonly buyer_name?: string | null | undefined;
  readonly created_at: string;
  readonly negotiation: {
    readonly stage: string;
  };
  readonly messages: readonly ({
    readonly role: "user" | "assistant";
    readonly content: string;
    readonly timestamp: string;
    readonly message_type?: string | null | undefined;
  })[];
  readonly linked_flow_ids: readonly (string)[];
  readonly updated_at: string;
  readonly expires_at: string;
}

/** Lists your sessions, newest first; an operator sees all. Changes nothing. */
export interface ListSessionsInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** Only this buyer's, for example agency:agency-2. */
  readonly buyer_key?: string | null | undefined;
  /** Only sessions in this status. */
  readonly status?: "active" | "expired" | "closed" | null | undefined;
}

export interface ListSessionsOutput {
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
  readonly sessions: readonly ({
    readonly session_id: string;
    readonly status: string;
    readonly buyer_pricing_key: string;
    readonly buyer_name?: string | null | undefined;
    readonly created_at: string;
    readonly message_count: number;
    readonly negotiation_stage: string;
    readonly updated_at: string;
  })[];
}

/** Says something in a session, in plain English, and answers it: the seller does what the text asks for, for you and at your tier, or asks back. */
export interface SendSessionMessageInput {
  /** Id from create_session. */
  readonly session_id: string;
  /** What you say. */
  readonly message?: string | null | undefined;
  /** The kind of message; where content has no words, what it asks for, such as pricing. */
  readonly type?: string | null | undefined;
  /** What you say: a text, or an object with text or message, its other members as known values. {option, digest} takes an option that an answer has shown. */
  readonly content?: string | Readonly<Record<string, unknown>> | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface SendSessionMessageOutput {
  readonly session_id: string;
  readonly text: string;
  readonly type: string;
  readonly message_count: number;
  readonly negotiation_stage: string;
  readonly answers: readonly ({
    readonly skill: "discovery" | "pricing" | "proposals" | "negotiation" | "deals" | null;
    readonly understood: Readonly<Record<string, unknown>>;
    readonly outcome: "answer" | "quoted" | "clarify" | "refuse" | "counter" | "accepted" | "rejected" | "booked" | "pending";
    readonly result: unknown;
    readonly not_used: readonly (string)[];
    readonly options: readonly ({
      readonly option: string;
      readonly n: number;
      readonly label: string;
      readonly operation: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly terms: string;
      readonly digest: string;
      readonly expires_at: string;
    })[];
    readonly armed: string | null;
    readonly read_by: "grammar" | "model";
    readonly reason?: string | undefined;
  })[];
}

/** Answers a buyer that asked for a person; it reads the text with its next message. The text promises and books nothing by itself. Operators only. */
export interface AnswerHandoverInput {
  /** Id from list_handovers. */
  readonly handover_id: string;
  /** What the buyer reads. */
  readonly text: string;
}

export interface AnswerHandoverOutput {
  readonly handover_id: string;
  readonly status: "open" | "answered";
  readonly words: string;
  readonly asked_at: string;
  readonly product_id: string | null;
  readonly quote_id: string | null;
  readonly proposal_id: string | null;
  readonly negotiation_id: string | null;
  readonly deal_id: string | null;
  readonly session_id: string | null;
  readonly answer: string | null;
  readonly answered_at: string | null;
  readonly revision: number;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly buyer?: string | undefined;
  readonly buyer_name?: string | null | undefined;
  readonly conversation_id?: string | null | undefined;
  readonly answered_by?: string | null | undefined;
}

/** Lists the buyers that asked for a person, newest first, with what they said and the answer. Operators see all, a buyer its own. Changes nothing. */
export interface ListHandoversInput {
  /** Only those without an answer. */
  readonly open?: boolean | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface ListHandoversOutput {
  readonly handovers: readonly ({
    readonly handover_id: string;
    readonly status: "open" | "answered";
    readonly words: string;
    readonly asked_at: string;
    readonly product_id: string | null;
    readonly quote_id: string | null;
    readonly proposal_id: string | null;
    readonly negotiation_id: string | null;
    readonly deal_id: string | null;
    readonly session_id: string | null;
    readonly answer: string | null;
    readonly answered_at: string | null;
    readonly revision: number;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly buyer?: string | undefined;
    readonly buyer_name?: string | null | undefined;
    readonly conversation_id?: string | null | undefined;
    readonly answered_by?: string | null | undefined;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Asks for a person of the seller. A buyer has one request at a time: asked again while it is open, the words are added. The answer comes with your next message in the conversation, in list_handovers, and as the event handover.answered. Nothing is booked or changed. */
export interface RequestHandoverInput {
  /** What you want to talk about. */
  readonly words: string;
  /** The conversation that the answer is for. */
  readonly context_id?: string | null | undefined;
  /** The product that it is about. */
  readonly product_id?: string | null | undefined;
  /** The quote that it is about. */
  readonly quote_id?: string | null | undefined;
  /** The proposal that it is about. */
  readonly proposal_id?: string | null | undefined;
  /** The negotiation that it is about. */
  readonly negotiation_id?: string | null | undefined;
  /** The deal that it is about. */
  readonly deal_id?: string | null | undefined;
}

export interface RequestHandoverOutput {
  readonly handover_id: string;
  readonly status: "open" | "answered";
  readonly words: string;
  readonly asked_at: string;
  readonly product_id: string | null;
  readonly quote_id: string | null;
  readonly proposal_id: string | null;
  readonly negotiation_id: string | null;
  readonly deal_id: string | null;
  readonly session_id: string | null;
  readonly answer: string | null;
  readonly answered_at: string | null;
  readonly revision: number;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly buyer?: string | undefined;
  readonly buyer_name?: string | null | undefined;
  readonly conversation_id?: string | null | undefined;
  readonly answered_by?: string | null | undefined;
}

/** A conversation word for word, the oldest message first: what the buyer said, what it was answered and shown, and what it agreed to, with the digest of the terms. Operators only; changes nothing. */
export interface GetConversationInput {
  /** Id from list_conversations. */
  readonly conversation_id: string;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface GetConversationOutput {
  readonly conversation_id: string;
  readonly context_id: string;
  readonly buyer: string;
  readonly buyer_name: string | null;
  readonly message_count: number;
  readonly agreed_count: number;
  readonly updated_at: string;
  readonly exchanges: readonly ({
    readonly said: string;
    readonly answered: string;
    readonly understood: readonly ({
      readonly skill: string | null;
      readonly outcome: string;
    })[];
    readonly shown: readonly ({
      readonly kind: string;
      readonly id: string;
      readonly digest: string | null;
      readonly change: Readonly<Record<string, unknown>> | null;
    })[];
    readonly agreed: readonly ({
      readonly kind: string;
      readonly id: string;
      readonly digest: string | null;
      readonly change: Readonly<Record<string, unknown>> | null;
      readonly by: string;
      readonly at: string;
    })[];
    readonly at: string;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists what buyers and their agents talk about in words, over A2A and in sessions, newest first; kept for seven days. Next: get_conversation. Operators only; changes nothing. */
export interface ListConversationsInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface ListConversationsOutput {
  readonly conversations: readonly ({
    readonly conversation_id: string;
    readonly context_id: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly message_count: number;
    readonly agreed_count: number;
    readonly updated_at: string;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Books an available quote at exactly its price and terms and returns the deal with its activation instructions and OpenRTB parameters. It commits money: use it when product, price, dates and volume are agreed. A guaranteed deal reserves its impressions on every day of the flight. A quote is booked once; cancel_deal asks to undo it. */
export interface BookDealInput {
  /** Id from request_quote. */
  readonly quote_id: string;
  /** Who the buyer says to be; the identity of the API key decides the price, never this. */
  readonly buyer_identity?: {
    readonly seat_id?: string | null | undefined;
    readonly agency_id?: string | null | undefined;
    readonly advertiser_id?: string | null | undefined;
    readonly dsp_platform?: string | null | undefined;
  } | null | undefined;
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
  readonly deal_id: string;
  readonly deal_type: string;
  readonly status: "proposed" | "active" | "rejected" | "expired" | "completed";
  readonly quote_id: string;
  readonly product: {
    readonly product_id: string;
    readonly name: string;
    readonly inventory_type?: string | null | undefined;
  };
  readonly pricing: {
    readonly base_cpm: number;
    readonly tier_discount_pct: number;
    readonly volume_discount_pct: number;
    readonly final_cpm: number;
    readonly currency: string;
    readonly pricing_model: string;
    readonly rationale: string;
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
  };
  readonly terms: {
    readonly impressions?: number | null | undefined;
    readonly flight_start: string;
    readonly flight_end?: string | null | undefined;
    readonly guaranteed: boolean;
    readonly asked_flight_start?: string | undefined;
  };
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly changes_waiting?: readonly ({
    readonly change_request_id: string;
    readonly change_type: string;
    readonly status: string;
  })[] | null | undefined;
  readonly waiting_for?: string | null | undefined;
  readonly buyer_tier: string;
  readonly notes?: string | null | undefined;
  readonly cancelled?: boolean | undefined;
  readonly awaiting_approval?: boolean | undefined;
  readonly expires_at: string;
  readonly activation_instructions: Readonly<Record<string, string>>;
  readonly openrtb_params?: {
    readonly id: string;
    readonly bidfloor: number;
    readonly bidfloorcur: string;
    readonly at: number;
    readonly wseat: readonly (string)[];
    readonly wadomain: readonly (string)[];
  } | null | undefined;
  readonly audience_plan_snapshot?: Readonly<Record<string, unknown>> | null | undefined;
  readonly audience_match_summary?: {
    readonly primary: {
      readonly match: string;
      readonly score: number;
    };
    readonly constraints?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
    readonly extensions?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
    readonly exclusions?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
  } | null | undefined;
  readonly created_at: string;
  readonly revision?: number | undefined;
}

/** Books an accepted proposal into a deal at its agreed price and volume. A guaranteed deal reserves its impressions for every day of the flight. Answers the deal id for the DSP. */
export interface GenerateDealInput {
  /** Id from submit_proposal; the proposal must be accepted. */
  readonly proposal_id: string;
  /** Your DSP, for its instructions: ttd, dv360 or xandr. */
  readonly dsp_platform?: string | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface GenerateDealOutput {
  readonly deal_id: string;
  readonly deal_type: string;
  readonly status: "proposed" | "active" | "rejected" | "expired" | "completed";
  readonly quote_id: string;
  readonly product: {
    readonly product_id: string;
    readonly name: string;
    readonly inventory_type?: string | null | undefined;
  };
  readonly pricing: {
    readonly base_cpm: number;
    readonly tier_discount_pct: number;
    readonly volume_discount_pct: number;
    readonly final_cpm: number;
    readonly currency: string;
    readonly pricing_model: string;
    readonly rationale: string;
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
  };
  readonly terms: {
    readonly impressions?: number | null | undefined;
    readonly flight_start: string;
    readonly flight_end?: string | null | undefined;
    readonly guaranteed: boolean;
    readonly asked_flight_start?: string | undefined;
  };
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly changes_waiting?: readonly ({
    readonly change_request_id: string;
    readonly change_type: string;
    readonly status: string;
  })[] | null | undefined;
  readonly waiting_for?: string | null | undefined;
  readonly buyer_tier: string;
  readonly notes?: string | null | undefined;
  readonly cancelled?: boolean | undefined;
  readonly awaiting_approval?: boolean | undefined;
  readonly expires_at: string;
  readonly activation_instructions: Readonly<Record<string, string>>;
  readonly openrtb_params?: {
    readonly id: string;
    readonly bidfloor: number;
    readonly bidfloorcur: string;
    readonly at: number;
    readonly wseat: readonly (string)[];
    readonly wadomain: readonly (string)[];
  } | null | undefined;
  readonly audience_plan_snapshot?: Readonly<Record<string, unknown>> | null | undefined;
  readonly audience_match_summary?: {
    readonly primary: {
      readonly match: string;
      readonly score: number;
    };
    readonly constraints?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
    readonly extensions?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
    readonly exclusions?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
  } | null | undefined;
  readonly created_at: string;
  readonly revision?: number | undefined;
  readonly price: number;
  readonly pricing_model: string;
}

/** Returns a deal with its current status, what it waits for, activation instructions and OpenRTB parameters. Changes nothing. */
export interface GetDealInput {
  /** Id from book_deal. */
  readonly deal_id: string;
}

export interface GetDealOutput {
  readonly deal_id: string;
  readonly deal_type: string;
  readonly status: "proposed" | "active" | "rejected" | "expired" | "completed";
  readonly quote_id: string;
  readonly product: {
    readonly product_id: string;
    readonly name: string;
    readonly inventory_type?: string | null | undefined;
  };
  readonly pricing: {
    readonly base_cpm: number;
    readonly tier_discount_pct: number;
    readonly volume_discount_pct: number;
    readonly final_cpm: number;
    readonly currency: string;
    readonly pricing_model: string;
    readonly rationale: string;
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
  };
  readonly terms: {
    readonly impressions?: number | null | undefined;
    readonly flight_start: string;
    readonly flight_end?: string | null | undefined;
    readonly guaranteed: boolean;
    readonly asked_flight_start?: string | undefined;
  };
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly changes_waiting?: readonly ({
    readonly change_request_id: string;
    readonly change_type: string;
    readonly status: string;
  })[] | null | undefined;
  readonly waiting_for?: string | null | undefined;
  readonly buyer_tier: string;
  readonly notes?: string | null | undefined;
  readonly cancelled?: boolean | undefined;
  readonly awaiting_approval?: boolean | undefined;
  readonly expires_at: string;
  readonly activation_instructions: Readonly<Record<string, string>>;
  readonly openrtb_params?: {
    readonly id: string;
    readonly bidfloor: number;
    readonly bidfloorcur: string;
    readonly at: number;
    readonly wseat: readonly (string)[];
    readonly wadomain: readonly (string)[];
  } | null | undefined;
  readonly audience_plan_snapshot?: Readonly<Record<string, unknown>> | null | undefined;
  readonly audience_match_summary?: {
    readonly primary: {
      readonly match: string;
      readonly score: number;
    };
    readonly constraints?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
    readonly extensions?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
    readonly exclusions?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
  } | null | undefined;
  readonly created_at: string;
  readonly revision?: number | undefined;
  readonly buyer?: string | undefined;
  readonly buyer_name?: string | null | undefined;
}

/** Moves a proposed deal to active or rejected. Use it to activate what was booked; a buyer's cancellation is a change request instead. Operators only. A rejected deal gives its reserved impressions back and stays rejected. */
export interface TransitionDealInput {
  /** Id from book_deal. */
  readonly deal_id: string;
  /** The status to reach. */
  readonly to_status: "proposed" | "active" | "rejected" | "expired" | "completed";
  /** Why, in words that the buyer may read. */
  readonly reason?: string | undefined;
}

export interface TransitionDealOutput {
  readonly deal_id: string;
  readonly deal_type: string;
  readonly status: "proposed" | "active" | "rejected" | "expired" | "completed";
  readonly quote_id: string;
  readonly product: {
    readonly product_id: string;
    readonly name: string;
    readonly inventory_type?: string | null | undefined;
  };
  readonly pricing: {
    readonly base_cpm: number;
    readonly tier_discount_pct: number;
    readonly volume_discount_pct: number;
    readonly final_cpm: number;
    readonly currency: string;
    readonly pricing_model: string;
    readonly rationale: string;
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
  };
  readonly terms: {
    readonly impressions?: number | null | undefined;
    readonly flight_start: string;
    readonly flight_end?: string | null | undefined;
    readonly guaranteed: boolean;
    readonly asked_flight_start?: string | undefined;
  };
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly changes_waiting?: readonly ({
    readonly change_request_id: string;
    readonly change_type: string;
    readonly status: string;
  })[] | null | undefined;
  readonly waiting_for?: string | null | undefined;
  readonly buyer_tier: string;
  readonly notes?: string | null | undefined;
  readonly cancelled?: boolean | undefined;
  readonly awaiting_approval?: boolean | undefined;
  readonly expires_at: string;
  readonly activation_instructions: Readonly<Record<string, string>>;
  readonly openrtb_params?: {
    readonly id: string;
    readonly bidfloor: number;
    readonly bidfloorcur: string;
    readonly at: number;
    readonly wseat: readonly (string)[];
    readonly wadomain: readonly (string)[];
  } | null | undefined;
  readonly audience_plan_snapshot?: Readonly<Record<string, unknown>> | null | undefined;
  readonly audience_match_summary?: {
    readonly primary: {
      readonly match: string;
      readonly score: number;
    };
    readonly constraints?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
    readonly extensions?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
    readonly exclusions?: readonly ({
      readonly match: string;
      readonly score: number;
    })[] | null | undefined;
  } | null | undefined;
  readonly created_at: string;
  readonly revision?: number | undefined;
}

/** Lists what waits or waited for an operator's decision, newest first, history included: value, product, when it times out, and the decision. A buyer sees its own, without the seller's reasoning; operators see all and decide with approve_or_reject. Changes nothing. */
export interface ListApprovalsInput {
  /** Only these states. */
  readonly status?: readonly ("pending" | "approved" | "rejected" | "timed_out")[] | null | undefined;
  /** Only these kinds of flow. */
  readonly flow_type?: readonly ("proposal" | "negotiation" | "deal" | "api_key" | "media_buy")[] | null | undefined;
  /** Operators: only what this person or key decided. */
  readonly decided_by?: string | null | undefined;
  /** Asked at or after: a day (YYYY-MM-DD, UTC) or an instant, included. */
  readonly since?: string | null | undefined;
  /** Asked at or before: a day (YYYY-MM-DD, UTC) or an instant, included. */
  readonly until?: string | null | undefined;
  /** Text in an id, the product or, for operators, the buyer. */
  readonly q?: string | null | undefined;
  /** Newest first; or what times out first, or is worth most, of at most 10,000 matches. */
  readonly sort?: "created" | "expires" | "value" | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
}

export interface ListApprovalsOutput {
  readonly approvals: readonly ({
    readonly approval_id: string;
    readonly flow_id: string;
    readonly flow_type: string;
    readonly proposal_id: string;
    readonly deal_id: string;
    readonly status: "pending" | "approved" | "rejected" | "timed_out";
    readonly created_at: string;
    readonly expires_at: string;
    readonly product_id: string | null;
    readonly product_name: string | null;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly key_request?: {
      readonly key_id: string;
      readonly seat_id: string | null;
      readonly seat_name: string | null;
      readonly agency_id: string | null;
      readonly agency_name: string | null;
      readonly advertiser_id: string | null;
      readonly advertiser_name: string | null;
      readonly label: string | null;
      readonly agent_url: string | null;
      readonly asked_by: string | null;
      readonly asked_by_buyer: string | null;
      readonly asked_from: string | null;
      readonly becomes: string;
      readonly holders: readonly ({
        readonly buyer: string;
        readonly name: string | null;
        readonly active_keys: number;
        readonly newest_key: string;
        readonly newest_label: string | null;
      })[];
    } | null | undefined;
    readonly value: number | null;
    readonly currency: string | null;
    readonly response: {
      readonly decision: string;
      readonly decided_at: string;
      readonly reason: string;
    } | null;
  })[];
  readonly waiting: {
    readonly count: number;
    readonly values: Readonly<Record<string, number>> | null;
    readonly oldest_at: string | null;
    readonly next_timeout_at: string | null;
  };
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists your deals, newest first, with what each costs, its orders, and totals over all matches: what is booked are standing_count and standing_values, without rejected, cancelled and expired deals. waiting shows what waits for the seller. Operators see every buyer's. Money in units of `currency`. Next: get_deal, reschedule_deal, change_deal or cancel_deal with a deal_id. Changes nothing. */
export interface ListDealsInput {
  /** Only these states. */
  readonly status?: readonly ("proposed" | "active" | "rejected" | "expired" | "completed")[] | null | undefined;
  /** Only this type. */
  readonly deal_type?: "PG" | "PD" | "PA" | null | undefined;
  /** Only those that wait for the seller, as waiting_for says: for an approval, the activation, or the decision on a change; or only the others. */
  readonly waiting?: boolean | null | undefined;
  /** Only those whose booking is not approved yet, or the others. */
  readonly awaiting_approval?: boolean | null | undefined;
  /** Only this product. */
  readonly product_id?: string | null | undefined;
  /** Operators: only this buyer, for example agency:agency-2. A buyer sees its own; another's name is refused. */
  readonly buyer?: string | null | undefined;
  /** Only flights that end on this day or later, YYYY-MM-DD, included. */
  readonly flight_from?: string | null | undefined;
  /** Only flights that start on this day or earlier, YYYY-MM-DD, included. */
  readonly flight_to?: string | null | undefined;
  /** Booked at or after: a day (YYYY-MM-DD, UTC) or an instant, included. */
  readonly created_from?: string | null | undefined;
  /** Booked at or before: a day (YYYY-MM-DD, UTC) or an instant, included. */
  readonly created_to?: string | null | undefined;
  /** Text in the id, product, quote or notes. */
  readonly q?: string | null | undefined;
  /** Newest first; or the most valuable, the earliest flight, the highest price or volume first, of at most 10,000 matches. */
  readonly sort?: "created" | "value" | "flight" | "price" | "impressions" | undefined;
  /** The other way round: the oldest, the least valuable, … first. */
  readonly reversed?: boolean | null | undefined;
  /** Count the matches by where they stand too, whatever status is asked for; of at most 10,000. */
  readonly with_counts?: boolean | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
}

export interface ListDealsOutput {
  readonly deals: readonly ({
    readonly deal_id: string;
    readonly deal_type: string;
    readonly status: "proposed" | "active" | "rejected" | "expired" | "completed";
    readonly quote_id: string;
    readonly product: {
      readonly product_id: string;
      readonly name: string;
      readonly inventory_type?: string | null | undefined;
    };
    readonly pricing: {
      readonly base_cpm: number;
      readonly tier_discount_pct: number;
      readonly volume_discount_pct: number;
      readonly final_cpm: number;
      readonly currency: string;
      readonly pricing_model: string;
      readonly rationale: string;
      readonly effective_from?: string | undefined;
      readonly booked_from?: string | undefined;
    };
    readonly terms: {
      readonly impressions?: number | null | undefined;
      readonly flight_start: string;
      readonly flight_end?: string | null | undefined;
      readonly guaranteed: boolean;
      readonly asked_flight_start?: string | undefined;
    };
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly changes_waiting?: readonly ({
      readonly change_request_id: string;
      readonly change_type: string;
      readonly status: string;
    })[] | null | undefined;
    readonly waiting_for?: string | null | undefined;
    readonly buyer_tier: string;
    readonly notes?: string | null | undefined;
    readonly cancelled?: boolean | undefined;
    readonly awaiting_approval?: boolean | undefined;
    readonly expires_at: string;
    readonly activation_instructions: Readonly<Record<string, string>>;
    readonly openrtb_params?: {
      readonly id: string;
      readonly bidfloor: number;
      readonly bidfloorcur: string;
      readonly at: number;
      readonly wseat: readonly (string)[];
      readonly wadomain: readonly (string)[];
    } | null | undefined;
    readonly audience_plan_snapshot?: Readonly<Record<string, unknown>> | null | undefined;
    readonly audience_match_summary?: {
      readonly primary: {
        readonly match: string;
        readonly score: number;
      };
      readonly constraints?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
      readonly extensions?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
      readonly exclusions?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
    } | null | undefined;
    readonly created_at: string;
    readonly revision?: number | undefined;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly value: number | null;
    readonly order_ids: readonly (string)[];
    readonly delivered_impressions: number;
    readonly delivered_clicks?: number | null | undefined;
    readonly delivered_spend?: number | null | undefined;
    readonly data_source?: string | undefined;
  })[];
  readonly totals: {
    readonly count: number;
    readonly impressions: number;
    readonly value: number | null;
    readonly currency: string | null;
    readonly values: Readonly<Record<string, number>>;
    readonly standing_values: Readonly<Record<string, number>>;
    readonly standing_count?: number | undefined;
    readonly standing_impressions?: number | undefined;
  } | null;
  readonly counts?: {
    readonly all: number;
    readonly to_activate: number;
    readonly waiting: number;
    readonly active: number;
    readonly completed: number;
    readonly rejected: number;
    readonly expired: number;
  } | null | undefined;
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists your negotiations, newest first: first and last price of each side and the gap between them, in units per thousand. Answer an active one with negotiate. Operators see every buyer's. Changes nothing. */
export interface ListNegotiationsInput {
  /** Only these states. */
  readonly status?: readonly ("active" | "accepted" | "rejected" | "expired")[] | null | undefined;
  /** Only those that wait for the seller's approval, or only the others. */
  readonly waiting?: boolean | null | undefined;
  /** Only this product. */
  readonly product_id?: string | null | undefined;
  /** Operators: only this buyer, for example agency:agency-2. A buyer sees its own; another's name is refused. */
  readonly buyer?: string | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
}

export interface ListNegotiationsOutput {
  readonly negotiations: readonly ({
    readonly negotiation_id: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly product_id: string;
    readonly product_name: string;
    readonly status: "active" | "accepted" | "rejected" | "expired";
    readonly rounds_count: number;
    readonly rounds_remaining: number;
    readonly first_buyer_price: number | null;
    readonly last_buyer_price: number | null;
    readonly first_seller_price: number | null;
    readonly last_seller_price: number | null;
    readonly gap: number | null;
    readonly agreed_price: number | null;
    readonly currency: string;
    readonly impressions: number | null;
    readonly proposal_id: string | null;
    readonly quote_id: string | null;
    readonly approval_id: string | null;
    readonly round: {
      readonly round_number: number;
      readonly buyer_price: number | null;
      readonly seller_price: number;
      readonly action: string;
      readonly concession_pct: number;
      readonly cumulative_concession_pct: number;
      readonly rationale: string;
      readonly buyer_rationale?: string | null | undefined;
      readonly timestamp?: string | null | undefined;
    } | null;
    readonly created_at: string;
    readonly updated_at: string;
    readonly expires_at: string;
  })[];
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists your proposals, newest first, with their prices and what became of them. Accepted ones are booked with generate_deal, countered ones answered with counter_proposal. Operators see every buyer's. Changes nothing. */
export interface ListProposalsInput {
  /** Only these states. */
  readonly status?: readonly ("pending_approval" | "counter_pending" | "accepted" | "rejected" | "failed")[] | null | undefined;
  /** Only this product. */
  readonly product_id?: string | null | undefined;
  /** Operators: only this buyer, for example agency:agency-2. A buyer sees its own; another's name is refused. */
  readonly buyer?: string | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
}

export interface ListProposalsOutput {
  readonly proposals: readonly ({
    readonly proposal_id: string;
    readonly recommendation: "accept" | "counter" | "reject" | null;
    readonly status: string;
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly counter_terms?: {
      readonly proposed_price: number;
      readonly floor_price?: number | null | undefined;
      readonly max_impressions?: number | null | undefined;
      readonly reason: string;
      readonly negotiation_id?: string | null | undefined;
      readonly round_number: number;
      readonly action: string;
    } | null | undefined;
    readonly approval_id?: string | null | undefined;
    readonly asked_start_date?: string | undefined;
    readonly pricing_verified: boolean;
    readonly pricing_verification_reason: string;
    readonly errors: readonly ({
      readonly stage: string;
      readonly code: string;
      readonly detail: string;
    })[];
    readonly buyer: string;
    readonly buyer_name: string | null;
  })[];
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists your quotes, newest first; expired ones for 30 days. Use it to find a quote_id that can still be booked (status available) with book_deal. Operators see every buyer's. Changes nothing. */
export interface ListQuotesInput {
  /** Only these states. */
  readonly status?: readonly ("available" | "booked" | "expired" | "declined")[] | null | undefined;
  /** Only this product. */
  readonly product_id?: string | null | undefined;
  /** Operators: only this buyer, for example agency:agency-2. A buyer sees its own; another's name is refused. */
  readonly buyer?: string | null | undefined;
  /** Quoted at or after: a day (YYYY-MM-DD, UTC) or an instant, included. */
  readonly created_from?: string | null | undefined;
  /** Quoted at or before: a day (YYYY-MM-DD, UTC) or an instant, included. */
  readonly created_to?: string | null | undefined;
  /** Text in the id, product or, for operators, the buyer. */
  readonly q?: string | null | undefined;
  /** Newest first; or the highest price or volume, the earliest flight or what expires first, of at most 10,000 matches. */
  readonly sort?: "created" | "price" | "impressions" | "flight" | "expires" | undefined;
  /** The other way round: the oldest, the cheapest, … first. */
  readonly reversed?: boolean | null | undefined;
  /** Count the matches by state too; of at most 10,000. */
  readonly with_counts?: boolean | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
}

export interface ListQuotesOutput {
  readonly quotes: readonly ({
    readonly quote_id: string;
    readonly status: "available" | "booked" | "expired" | "declined";
    readonly product: {
      readonly product_id: string;
      readonly name: string;
      readonly inventory_type?: string | null | undefined;
    };
    readonly pricing: {
      readonly base_cpm: number;
      readonly tier_discount_pct: number;
      readonly volume_discount_pct: number;
      readonly final_cpm: number;
      readonly currency: string;
      readonly pricing_model: string;
      readonly rationale: string;
      readonly effective_from?: string | undefined;
      readonly booked_from?: string | undefined;
    };
    readonly terms: {
      readonly impressions?: number | null | undefined;
      readonly flight_start: string;
      readonly flight_end?: string | null | undefined;
      readonly guaranteed: boolean;
      readonly asked_flight_start?: string | undefined;
    };
    readonly availability?: {
      readonly inventory_available: boolean;
      readonly estimated_fill_rate?: number | null | undefined;
      readonly competing_demand?: string | null | undefined;
    } | null | undefined;
    readonly deal_type: string;
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly buyer_tier: string;
    readonly seller_id?: string | null | undefined;
    readonly expires_at: string;
    readonly created_at: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
  })[];
  readonly counts?: {
    readonly all: number;
    readonly available: number;
    readonly booked: number;
    readonly expired: number;
    readonly declined: number;
  } | null | undefined;
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Returns what a deal has delivered: impressions, clicks and spend in all, by source, and for each day with figures (the last 35 days, or those asked for), with the share of the booked volume. Figures come from the seller's edge servers and ad servers; data_source is none as long as nothing was reported. Changes nothing. */
export interface GetDeliveryInput {
  /** Id from book_deal. */
  readonly deal_id: string;
  /** First day (UTC) of days; default: 35 days ago. */
  readonly start_date?: string | null | undefined;
  /** Last day of days, at most 400 days after the first; default: tomorrow. */
  readonly end_date?: string | null | undefined;
}

export interface GetDeliveryOutput {
  readonly deal_id: string;
  readonly data_source: string;
  readonly currency: string;
  readonly delivered_impressions: number;
  readonly delivered_clicks: number | null;
  readonly delivered_spend: number | null;
  readonly booked_impressions: number | null;
  readonly delivered_share: number | null;
  readonly sources: readonly ({
    readonly source: string;
    readonly impressions: number;
    readonly clicks: number | null;
    readonly spend: number | null;
    readonly last_date: string | null;
    readonly reported_at: string | null;
  })[];
  readonly days: readonly ({
    readonly date: string;
    readonly impressions: number;
    readonly clicks: number | null;
    readonly spend: number | null;
  })[];
}

/** Stores what was delivered for deals, in one of two forms. An ad server sends source and rows, one a deal and day: a row replaces what that source said of that deal and day, so sending it again changes nothing and a correction is the new row. An edge server sends batch_id and counts, which are added: a batch is stored once, and sent again under its batch_id returns the first answer. Figures of different sources are added up. A deal that is not known is named in the answer, the others are stored. For keys with the role edge and operators. */
export interface ReportDeliveryInput {
  /** Of the sender's choice, the same for each attempt; kept for 40 days. */
  readonly batch_id?: string | null | undefined;
  /** Impressions to add, with batch_id. */
  readonly counts?: readonly ({
    readonly deal_id: string;
    /** Day (UTC) on which they were shown, at most 35 days back. */
    readonly date: string;
    readonly impressions: number;
  })[] | null | undefined;
  /** The ad server that counted, for example gam or freewheel. */
  readonly source?: string | null | undefined;
  /** Whole figures of a deal and day, with source. */
  readonly rows?: readonly ({
    readonly deal_id: string;
    /** Day (UTC), at most 400 days back. */
    readonly date: string;
    readonly impressions: number;
    /** Leave out where clicks are not counted. */
    readonly clicks?: number | null | undefined;
    /** What the buyer owes for them. Left out: impressions at the booked CPM, where it is fixed (PG, PD). */
    readonly spend?: number | null | undefined;
    /** Of spend; default: the deal's, and no other is taken. */
    readonly currency?: string | null | undefined;
  })[] | null | undefined;
}

export interface ReportDeliveryOutput {
  readonly batch_id?: string | undefined;
  readonly repeated?: boolean | undefined;
  readonly source?: string | undefined;
  readonly impressions: number;
  readonly changed?: number | undefined;
  readonly unchanged?: number | undefined;
  readonly rejected: readonly ({
    readonly deal_id: string;
    readonly reason: "deal_not_found" | "currency_mismatch";
    readonly currency?: string | undefined;
  })[];
}

/** Asks to cancel a proposed or active deal. Raises a critical change request, which a senior operator reviews. The deal stays as it is until then: do not treat it as cancelled. Follow it with get_change_request. */
export interface CancelDealInput {
  /** Id from list_deals or book_deal. */
  readonly deal_id: string;
  /** Why, in words for the seller. */
  readonly reason?: string | null | undefined;
}

export interface CancelDealOutput {
  readonly change_request_id: string;
  readonly order_id: string;
  readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
  readonly severity: "minor" | "material" | "critical";
  readonly status: "pending" | "validating" | "pending_approval" | "approved" | "rejected" | "withdrawn" | "applied" | "failed";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly diffs: readonly ({
    readonly field: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
  })[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly pricing_impact?: {
    readonly currency: string;
    readonly before: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
    readonly after: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
  } | null | undefined;
  readonly revision?: number | undefined;
  readonly reason: string;
  readonly requested_by: string;
  readonly on_behalf_of?: string | null | undefined;
  readonly withdrawn_by?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
  readonly deal: {
    readonly deal_id: string;
    readonly deal_type: string;
    readonly status: "proposed" | "active" | "rejected" | "expired" | "completed";
    readonly quote_id: string;
    readonly product: {
      readonly product_id: string;
      readonly name: string;
      readonly inventory_type?: string | null | undefined;
    };
    readonly pricing: {
      readonly base_cpm: number;
      readonly tier_discount_pct: number;
      readonly volume_discount_pct: number;
      readonly final_cpm: number;
      readonly currency: string;
      readonly pricing_model: string;
      readonly rationale: string;
      readonly effective_from?: string | undefined;
      readonly booked_from?: string | undefined;
    };
    readonly terms: {
      readonly impressions?: number | null | undefined;
      readonly flight_start: string;
      readonly flight_end?: string | null | undefined;
      readonly guaranteed: boolean;
      readonly asked_flight_start?: string | undefined;
    };
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly changes_waiting?: readonly ({
      readonly change_request_id: string;
      readonly change_type: string;
      readonly status: string;
    })[] | null | undefined;
    readonly waiting_for?: string | null | undefined;
    readonly buyer_tier: string;
    readonly notes?: string | null | undefined;
    readonly cancelled?: boolean | undefined;
    readonly awaiting_approval?: boolean | undefined;
    readonly expires_at: string;
    readonly activation_instructions: Readonly<Record<string, string>>;
    readonly openrtb_params?: {
      readonly id: string;
      readonly bidfloor: number;
      readonly bidfloorcur: string;
      readonly at: number;
      readonly wseat: readonly (string)[];
      readonly wadomain: readonly (string)[];
    } | null | undefined;
    readonly audience_plan_snapshot?: Readonly<Record<string, unknown>> | null | undefined;
    readonly audience_match_summary?: {
      readonly primary: {
        readonly match: string;
        readonly score: number;
      };
      readonly constraints?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
      readonly extensions?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
      readonly exclusions?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
    } | null | undefined;
    readonly created_at: string;
    readonly revision?: number | undefined;
  };
  readonly order_created: boolean;
}

/** Asks to change a deal's volume, in impressions; the price per thousand stays. Always waits for a review (pending_approval); refused where too little inventory is left. Follow it with get_change_request. */
export interface ChangeDealInput {
  /** Id from list_deals or book_deal. */
  readonly deal_id: string;
  /** The new volume. */
  readonly impressions: number;
  /** Why, in words for the seller. */
  readonly reason?: string | null | undefined;
}

export interface ChangeDealOutput {
  readonly change_request_id: string;
  readonly order_id: string;
  readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
  readonly severity: "minor" | "material" | "critical";
  readonly status: "pending" | "validating" | "pending_approval" | "approved" | "rejected" | "withdrawn" | "applied" | "failed";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly diffs: readonly ({
    readonly field: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
  })[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly pricing_impact?: {
    readonly currency: string;
    readonly before: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
    readonly after: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
  } | null | undefined;
  readonly revision?: number | undefined;
  readonly reason: string;
  readonly requested_by: string;
  readonly on_behalf_of?: string | null | undefined;
  readonly withdrawn_by?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
  readonly deal: {
    readonly deal_id: string;
    readonly deal_type: string;
    readonly status: "proposed" | "active" | "rejected" | "expired" | "completed";
    readonly quote_id: string;
    readonly product: {
      readonly product_id: string;
      readonly name: string;
      readonly inventory_type?: string | null | undefined;
    };
    readonly pricing: {
      readonly base_cpm: number;
      readonly tier_discount_pct: number;
      readonly volume_discount_pct: number;
      readonly final_cpm: number;
      readonly currency: string;
      readonly pricing_model: string;
      readonly rationale: string;
      readonly effective_from?: string | undefined;
      readonly booked_from?: string | undefined;
    };
    readonly terms: {
      readonly impressions?: number | null | undefined;
      readonly flight_start: string;
      readonly flight_end?: string | null | undefined;
      readonly guaranteed: boolean;
      readonly asked_flight_start?: string | undefined;
    };
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly changes_waiting?: readonly ({
      readonly change_request_id: string;
      readonly change_type: string;
      readonly status: string;
    })[] | null | undefined;
    readonly waiting_for?: string | null | undefined;
    readonly buyer_tier: string;
    readonly notes?: string | null | undefined;
    readonly cancelled?: boolean | undefined;
    readonly awaiting_approval?: boolean | undefined;
    readonly expires_at: string;
    readonly activation_instructions: Readonly<Record<string, string>>;
    readonly openrtb_params?: {
      readonly id: string;
      readonly bidfloor: number;
      readonly bidfloorcur: string;
      readonly at: number;
      readonly wseat: readonly (string)[];
      readonly wadomain: readonly (string)[];
    } | null | undefined;
    readonly audience_plan_snapshot?: Readonly<Record<string, unknown>> | null | undefined;
    readonly audience_match_summary?: {
      readonly primary: {
        readonly match: string;
        readonly score: number;
      };
      readonly constraints?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
      readonly extensions?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
      readonly exclusions?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
    } | null | undefined;
    readonly created_at: string;
    readonly revision?: number | undefined;
  };
  readonly order_created: boolean;
}

/** Asks to move a deal's flight: send shift_days to move both ends, or a new flight_start or flight_end (YYYY-MM-DD, UTC). Three days or fewer are done at once (status approved, deal shows the new dates); more, also in all since the flight was booked or reviewed, waits for a review (pending_approval). Refused where the new days have too little inventory. */
export interface RescheduleDealInput {
  /** Id from list_deals or book_deal. */
  readonly deal_id: string;
  /** Days to move both ends by; negative is earlier. */
  readonly shift_days?: number | null | undefined;
  /** New first day. */
  readonly flight_start?: string | null | undefined;
  /** New last day. */
  readonly flight_end?: string | null | undefined;
  /** Why, in words for the seller. */
  readonly reason?: string | null | undefined;
}

export interface RescheduleDealOutput {
  readonly change_request_id: string;
  readonly order_id: string;
  readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
  readonly severity: "minor" | "material" | "critical";
  readonly status: "pending" | "validating" | "pending_approval" | "approved" | "rejected" | "withdrawn" | "applied" | "failed";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly diffs: readonly ({
    readonly field: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
  })[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly pricing_impact?: {
    readonly currency: string;
    readonly before: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
    readonly after: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
  } | null | undefined;
  readonly revision?: number | undefined;
  readonly reason: string;
  readonly requested_by: string;
  readonly on_behalf_of?: string | null | undefined;
  readonly withdrawn_by?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
  readonly deal: {
    readonly deal_id: string;
    readonly deal_type: string;
    readonly status: "proposed" | "active" | "rejected" | "expired" | "completed";
    readonly quote_id: string;
    readonly product: {
      readonly product_id: string;
      readonly name: string;
      readonly inventory_type?: string | null | undefined;
    };
    readonly pricing: {
      readonly base_cpm: number;
      readonly tier_discount_pct: number;
      readonly volume_discount_pct: number;
      readonly final_cpm: number;
      readonly currency: string;
      readonly pricing_model: string;
      readonly rationale: string;
      readonly effective_from?: string | undefined;
      readonly booked_from?: string | undefined;
    };
    readonly terms: {
      readonly impressions?: number | null | undefined;
      readonly flight_start: string;
      readonly flight_end?: string | null | undefined;
      readonly guaranteed: boolean;
      readonly asked_flight_start?: string | undefined;
    };
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly changes_waiting?: readonly ({
      readonly change_request_id: string;
      readonly change_type: string;
      readonly status: string;
    })[] | null | undefined;
    readonly waiting_for?: string | null | undefined;
    readonly buyer_tier: string;
    readonly notes?: string | null | undefined;
    readonly cancelled?: boolean | undefined;
    readonly awaiting_approval?: boolean | undefined;
    readonly expires_at: string;
    readonly activation_instructions: Readonly<Record<string, string>>;
    readonly openrtb_params?: {
      readonly id: string;
      readonly bidfloor: number;
      readonly bidfloorcur: string;
      readonly at: number;
      readonly wseat: readonly (string)[];
      readonly wadomain: readonly (string)[];
    } | null | undefined;
    readonly audience_plan_snapshot?: Readonly<Record<string, unknown>> | null | undefined;
    readonly audience_match_summary?: {
      readonly primary: {
        readonly match: string;
        readonly score: number;
      };
      readonly constraints?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
      readonly extensions?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
      readonly exclusions?: readonly ({
        readonly match: string;
        readonly score: number;
      })[] | null | undefined;
    } | null | undefined;
    readonly created_at: string;
    readonly revision?: number | undefined;
  };
  readonly order_created: boolean;
}

/** Takes back your proposal that waits for an approval or is countered, with its negotiation; a quote that it names can be booked again. Final: an accepted proposal is simply not booked, and a booked one needs cancel_deal. */
export interface WithdrawProposalInput {
  /** Id from list_proposals or submit_proposal. */
  readonly proposal_id: string;
  /** Why, in words for the seller. */
  readonly reason?: string | null | undefined;
}

export interface WithdrawProposalOutput {
  readonly proposal_id: string;
  readonly recommendation: "accept" | "counter" | "reject" | null;
  readonly status: string;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly counter_terms?: {
    readonly proposed_price: number;
    readonly floor_price?: number | null | undefined;
    readonly max_impressions?: number | null | undefined;
    readonly reason: string;
    readonly negotiation_id?: string | null | undefined;
    readonly round_number: number;
    readonly action: string;
  } | null | undefined;
  readonly approval_id?: string | null | undefined;
  readonly asked_start_date?: string | undefined;
  readonly pricing_verified: boolean;
  readonly pricing_verification_reason: string;
  readonly errors: readonly ({
    readonly stage: string;
    readonly code: string;
    readonly detail: string;
  })[];
}

/** Creates an order in draft, for a deal or a quote or for neither. A named deal or quote must be your own. Books nothing by itself: the seller moves the order on. */
export interface CreateOrderInput {
  /** Id from book_deal. */
  readonly deal_id?: string | null | undefined;
  /** Id from request_quote; with a deal, the deal's own. */
  readonly quote_id?: string | null | undefined;
  /** Whatever you want to keep with the order. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface CreateOrderOutput {
  readonly order_id: string;
  readonly status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
  readonly audit_log: {
    readonly order_id: string;
    readonly transitions: readonly ({
      readonly transition_id: string;
      readonly from_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
      readonly to_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
      readonly timestamp: string;
      readonly actor: string;
      readonly reason: string;
      readonly metadata: Readonly<Record<string, unknown>>;
    })[];
  };
  readonly deal_id?: string | null | undefined;
  readonly quote_id?: string | null | undefined;
  readonly created_at: string;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly revision?: number | undefined;
}

/** Returns an order with its state, audit log, deal, quote and metadata. Changes nothing. */
export interface GetOrderInput {
  /** Id from create_order. */
  readonly order_id: string;
}

export interface GetOrderOutput {
  readonly order_id: string;
  readonly status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
  readonly audit_log: {
    readonly order_id: string;
    readonly transitions: readonly ({
      readonly transition_id: string;
      readonly from_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
      readonly to_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
      readonly timestamp: string;
      readonly actor: string;
      readonly reason: string;
      readonly metadata: Readonly<Record<string, unknown>>;
    })[];
  };
  readonly deal_id?: string | null | undefined;
  readonly quote_id?: string | null | undefined;
  readonly created_at: string;
  readonly total_cost?: number | null | undefined;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly revision?: number | undefined;
}

/** Returns the moves of an order that an actor made in a span of time, and the order's newest change requests, at most 500 of them, whatever the filters. Changes nothing. */
export interface GetOrderAuditInput {
  /** Id from create_order. */
  readonly order_id: string;
  /** The whole actor or its beginning, for example human:. */
  readonly actor?: string | null | undefined;
  /** First day (YYYY-MM-DD, UTC) or instant, included. */
  readonly from_date?: string | null | undefined;
  /** Last day (YYYY-MM-DD, UTC) or instant, included. */
  readonly to_date?: string | null | undefined;
}

export interface GetOrderAuditOutput {
  readonly order_id: string;
  readonly current_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
  readonly created_at: string;
  readonly transitions: readonly ({
    readonly transition_id: string;
    readonly from_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
    readonly to_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
    readonly timestamp: string;
    readonly actor: string;
    readonly reason: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  })[];
  readonly transition_count: number;
  readonly change_requests: readonly ({
    readonly change_request_id: string;
  })[];
  readonly change_request_count: number;
}

/** Returns the moves of an order, oldest first, with their number. Changes nothing. */
export interface GetOrderHistoryInput {
  /** Id from create_order. */
  readonly order_id: string;
}

export interface GetOrderHistoryOutput {
  readonly order_id: string;
  readonly current_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
  readonly transitions: readonly ({
    readonly transition_id: string;
    readonly from_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
    readonly to_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
    readonly timestamp: string;
    readonly actor: string;
    readonly reason: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  })[];
  readonly transition_count: number;
}

/** Counts your orders by state, their moves by kind of actor, and your change requests; operators count all. The dates are whole days (UTC) of the orders' creation; change requests are counted whatever the dates. */
export interface GetOrderReportInput {
  /** First day (YYYY-MM-DD, UTC) or instant, included. */
  readonly from_date?: string | null | undefined;
  /** Last day (YYYY-MM-DD, UTC) or instant, included. */
  readonly to_date?: string | null | undefined;
}

export interface GetOrderReportOutput {
  readonly total_orders: number;
  readonly status_counts: Readonly<Record<string, number>>;
  readonly total_transitions: number;
  readonly avg_transitions_per_order: number;
  readonly actor_type_counts: Readonly<Record<string, number>>;
  readonly change_requests: {
    readonly total: number;
    readonly by_status: Readonly<Record<string, number>>;
  };
}

/** Lists your orders, newest first, a page at a time; operators see all orders. A status that no order can have gives an empty list. Changes nothing. */
export interface ListOrdersInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** Only orders in this state. */
  readonly status?: string | null | undefined;
}

export interface ListOrdersOutput {
  readonly orders: readonly ({
    readonly order_id: string;
    readonly status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
    readonly audit_log: {
      readonly order_id: string;
      readonly transitions: readonly ({
        readonly transition_id: string;
        readonly from_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
        readonly to_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
        readonly timestamp: string;
        readonly actor: string;
        readonly reason: string;
        readonly metadata: Readonly<Record<string, unknown>>;
      })[];
    };
    readonly deal_id?: string | null | undefined;
    readonly quote_id?: string | null | undefined;
    readonly created_at: string;
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly deal_summary?: {
      readonly deal_id: string;
      readonly status: string;
      readonly awaiting_approval: boolean;
      readonly cancelled: boolean;
      readonly product_name: string;
      readonly buyer: string;
      readonly buyer_name: string | null;
      readonly flight_start: string;
      readonly flight_end: string;
      readonly impressions: number | null;
      readonly value: number | null;
      readonly currency: string;
    } | undefined;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly revision?: number | undefined;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Moves an order to another state and records the move. Operators only. A booked order activates its deal, an unbooked one takes it back to proposed, and cancelling a deal's newest order rejects the deal and gives its impressions back. */
export interface TransitionOrderInput {
  /** Id from create_order. */
  readonly order_id: string;
  /** The state to reach, one of the twelve. */
  readonly to_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
  /** Who moves it: system (when left out), human:<id> or agent:<id>. */
  readonly actor?: string | null | undefined;
  /** Why; a default that fits the move when left out. */
  readonly reason?: string | null | undefined;
  /** Kept with the move, not with the order. */
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface TransitionOrderOutput {
  readonly order_id: string;
  readonly status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
  readonly transition: {
    readonly transition_id: string;
    readonly from_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
    readonly to_status: "draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked";
    readonly timestamp: string;
    readonly actor: string;
    readonly reason: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  readonly allowed_next: readonly ("draft" | "submitted" | "pending_approval" | "approved" | "rejected" | "in_progress" | "syncing" | "completed" | "failed" | "cancelled" | "booked" | "unbooked")[];
  readonly deal_move?: {
    readonly deal_id: string;
    readonly from_status: string;
    readonly to_status: string;
  } | null | undefined;
}

/** Buys several offers at once, each at the price that find_offers showed: all packages are booked, or none. Each becomes a deal with its order. It commits money. Where a person of the seller has to agree, nothing is booked yet: status submitted, and get_media_buy_task says what became of it. */
export interface BookMediaBuyInput {
  /** For whom. */
  readonly account: {
    /** Id from list_accounts. */
    readonly account_id: string;
  } | {
    /** Domain of the advertiser's brand. */
    readonly brand_domain: string;
    /** Where the domain has several brands. */
    readonly brand_id?: string | null | undefined;
    /** Domain of the company that buys for it, or of the brand itself. */
    readonly operator: string;
    /** True: for tests, nothing is delivered or charged. */
    readonly sandbox?: boolean | null | undefined;
  };
  /** Domain of the brand that is advertised. */
  readonly brand_domain: string;
  /** asap, or the instant at which it begins. */
  readonly start_time: "asap" | string;
  readonly end_time: string;
  /** Or plan_id with total_budget. */
  readonly packages?: readonly ({
    /** Id from find_offers. */
    readonly offer_id: string;
    /** Of the offer's options; the first when left out. */
    readonly option_id?: string | null | undefined;
    /** What to spend, in units of the offer's currency. */
    readonly budget: number;
    /** In an auction, at least the option's price; else ignored. */
    readonly bid_price?: number | null | undefined;
    readonly start_time?: string | null | undefined;
    readonly end_time?: string | null | undefined;
    readonly paused?: boolean | null | undefined;
    readonly creative_ids?: readonly (string)[] | null | undefined;
    /** Variance of measurement that is asked for. */
    readonly measurement_variance_pct?: number | null | undefined;
    /** Targeting, pacing and what else you say of it: kept, and given back. */
    readonly details?: Readonly<Record<string, unknown>> | null | undefined;
  })[] | null | undefined;
  /** A plan that refine_plan committed. */
  readonly plan_id?: string | null | undefined;
  /** Of a plan, in units of its currency. */
  readonly total_budget?: number | null | undefined;
  /** Of the budgets; the offers' own is the only one taken. */
  readonly currency?: string | null | undefined;
  /** Your purchase order. */
  readonly po_number?: string | null | undefined;
}

export interface BookMediaBuyOutput {
  readonly media_buy_id: string;
  readonly status: "submitted" | "pending_creatives" | "pending_start" | "active" | "paused" | "completed" | "canceled" | "rejected";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly task_id: string | null;
  readonly account: {
    readonly account_id: string;
    readonly name: string;
    readonly brand_domain: string;
    readonly brand_id: string | null;
    readonly operator: string;
    readonly billing: string;
    readonly status: "active" | "pending_approval" | "rejected" | "payment_required" | "suspended" | "closed";
    readonly sandbox: boolean;
    readonly revision?: number | undefined;
  };
  readonly brand_domain: string;
  readonly po_number: string | null;
  readonly currency: string;
  readonly total_budget: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly paused: boolean;
  readonly confirmed_at: string | null;
  readonly cancellation: {
    readonly canceled_at: string;
    readonly canceled_by: string;
    readonly reason: string;
  } | null;
  readonly valid_actions: readonly (string)[];
  readonly packages: readonly ({
    readonly package_id: string;
    readonly deal_id: string;
    readonly offer_id: string;
    readonly product_id: string;
    readonly option_id: string;
    readonly deal_type: "PG" | "PD" | "PA";
    readonly currency: string;
    readonly budget: number;
    readonly price: number;
    readonly impressions: number;
    readonly bid_price: number | null;
    readonly start_time: string;
    readonly end_time: string;
    readonly paused: boolean;
    readonly canceled_at: string | null;
    readonly creative_ids: readonly (string)[];
    readonly details: Readonly<Record<string, unknown>>;
  })[];
  readonly history: readonly ({
    readonly revision: number;
    readonly timestamp: string;
    readonly action: string;
    readonly actor: string;
    readonly summary: string;
  })[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly sandbox: boolean;
  readonly revision: number;
}

/** Pauses, resumes, changes or cancels your media buy or some of its packages, all that is named or nothing. Budgets of what is not guaranteed, small moves of a flight, creatives and details change at once; another volume of a guaranteed package needs a new quote. A buy that runs cannot be cancelled here: ask with cancel_deal. */
export interface ChangeMediaBuyInput {
  /** Id from book_media_buy. */
  readonly media_buy_id: string;
  readonly paused?: boolean | null | undefined;
  /** Ends it; cannot be undone. */
  readonly canceled?: true | null | undefined;
  readonly reason?: string | null | undefined;
  readonly start_time?: string | null | undefined;
  readonly end_time?: string | null | undefined;
  readonly packages?: readonly ({
    readonly package_id: string;
    readonly budget?: number | null | undefined;
    readonly bid_price?: number | null | undefined;
    readonly start_time?: string | null | undefined;
    readonly end_time?: string | null | undefined;
    readonly paused?: boolean | null | undefined;
    readonly canceled?: true | null | undefined;
    /** Replaces those that are assigned. */
    readonly creative_ids?: readonly (string)[] | null | undefined;
    /** Variance of measurement that is asked for. */
    readonly measurement_variance_pct?: number | null | undefined;
    /** Targeting, pacing and what else you say of it: kept, and given back. */
    readonly details?: Readonly<Record<string, unknown>> | null | undefined;
  })[] | null | undefined;
}

export interface ChangeMediaBuyOutput {
  readonly media_buy_id: string;
  readonly status: "submitted" | "pending_creatives" | "pending_start" | "active" | "paused" | "completed" | "canceled" | "rejected";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly task_id: string | null;
  readonly account: {
    readonly account_id: string;
    readonly name: string;
    readonly brand_domain: string;
    readonly brand_id: string | null;
    readonly operator: string;
    readonly billing: string;
    readonly status: "active" | "pending_approval" | "rejected" | "payment_required" | "suspended" | "closed";
    readonly sandbox: boolean;
    readonly revision?: number | undefined;
  };
  readonly brand_domain: string;
  readonly po_number: string | null;
  readonly currency: string;
  readonly total_budget: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly paused: boolean;
  readonly confirmed_at: string | null;
  readonly cancellation: {
    readonly canceled_at: string;
    readonly canceled_by: string;
    readonly reason: string;
  } | null;
  readonly valid_actions: readonly (string)[];
  readonly packages: readonly ({
    readonly package_id: string;
    readonly deal_id: string;
    readonly offer_id: string;
    readonly product_id: string;
    readonly option_id: string;
    readonly deal_type: "PG" | "PD" | "PA";
    readonly currency: string;
    readonly budget: number;
    readonly price: number;
    readonly impressions: number;
    readonly bid_price: number | null;
    readonly start_time: string;
    readonly end_time: string;
    readonly paused: boolean;
    readonly canceled_at: string | null;
    readonly creative_ids: readonly (string)[];
    readonly details: Readonly<Record<string, unknown>>;
  })[];
  readonly history: readonly ({
    readonly revision: number;
    readonly timestamp: string;
    readonly action: string;
    readonly actor: string;
    readonly summary: string;
  })[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly sandbox: boolean;
  readonly revision: number;
  readonly affected_packages: readonly (string)[];
}

/** Returns a media buy with its packages and history. Changes nothing. */
export interface GetMediaBuyInput {
  /** Id from book_media_buy. */
  readonly media_buy_id: string;
}

export interface GetMediaBuyOutput {
  readonly media_buy_id: string;
  readonly status: "submitted" | "pending_creatives" | "pending_start" | "active" | "paused" | "completed" | "canceled" | "rejected";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly task_id: string | null;
  readonly account: {
    readonly account_id: string;
    readonly name: string;
    readonly brand_domain: string;
    readonly brand_id: string | null;
    readonly operator: string;
    readonly billing: string;
    readonly status: "active" | "pending_approval" | "rejected" | "payment_required" | "suspended" | "closed";
    readonly sandbox: boolean;
    readonly revision?: number | undefined;
  };
  readonly brand_domain: string;
  readonly po_number: string | null;
  readonly currency: string;
  readonly total_budget: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly paused: boolean;
  readonly confirmed_at: string | null;
  readonly cancellation: {
    readonly canceled_at: string;
    readonly canceled_by: string;
    readonly reason: string;
  } | null;
  readonly valid_actions: readonly (string)[];
  readonly packages: readonly ({
    readonly package_id: string;
    readonly deal_id: string;
    readonly offer_id: string;
    readonly product_id: string;
    readonly option_id: string;
    readonly deal_type: "PG" | "PD" | "PA";
    readonly currency: string;
    readonly budget: number;
    readonly price: number;
    readonly impressions: number;
    readonly bid_price: number | null;
    readonly start_time: string;
    readonly end_time: string;
    readonly paused: boolean;
    readonly canceled_at: string | null;
    readonly creative_ids: readonly (string)[];
    readonly details: Readonly<Record<string, unknown>>;
  })[];
  readonly history: readonly ({
    readonly revision: number;
    readonly timestamp: string;
    readonly action: string;
    readonly actor: string;
    readonly summary: string;
  })[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly sandbox: boolean;
  readonly revision: number;
}

/** Says what became of a media buy that waited for a person of the seller: submitted, completed with the buy, or rejected with the reason. Changes nothing. */
export interface GetMediaBuyTaskInput {
  /** The task_id of the answer that was submitted. */
  readonly task_id: string;
}

export interface GetMediaBuyTaskOutput {
  readonly task_id: string;
  readonly status: "submitted" | "completed" | "rejected";
  readonly created_at: string;
  readonly updated_at: string;
  readonly completed_at: string | null;
  readonly reason: string | null;
  readonly media_buy: {
    readonly media_buy_id: string;
    readonly status: "submitted" | "pending_creatives" | "pending_start" | "active" | "paused" | "completed" | "canceled" | "rejected";
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly task_id: string | null;
    readonly account: {
      readonly account_id: string;
      readonly name: string;
      readonly brand_domain: string;
      readonly brand_id: string | null;
      readonly operator: string;
      readonly billing: string;
      readonly status: "active" | "pending_approval" | "rejected" | "payment_required" | "suspended" | "closed";
      readonly sandbox: boolean;
      readonly revision?: number | undefined;
    };
    readonly brand_domain: string;
    readonly po_number: string | null;
    readonly currency: string;
    readonly total_budget: number;
    readonly start_time: string;
    readonly end_time: string;
    readonly paused: boolean;
    readonly confirmed_at: string | null;
    readonly cancellation: {
      readonly canceled_at: string;
      readonly canceled_by: string;
      readonly reason: string;
    } | null;
    readonly valid_actions: readonly (string)[];
    readonly packages: readonly ({
      readonly package_id: string;
      readonly deal_id: string;
      readonly offer_id: string;
      readonly product_id: string;
      readonly option_id: string;
      readonly deal_type: "PG" | "PD" | "PA";
      readonly currency: string;
      readonly budget: number;
      readonly price: number;
      readonly impressions: number;
      readonly bid_price: number | null;
      readonly start_time: string;
      readonly end_time: string;
      readonly paused: boolean;
      readonly canceled_at: string | null;
      readonly creative_ids: readonly (string)[];
      readonly details: Readonly<Record<string, unknown>>;
    })[];
    readonly history: readonly ({
      readonly revision: number;
      readonly timestamp: string;
      readonly action: string;
      readonly actor: string;
      readonly summary: string;
    })[];
    readonly created_at: string;
    readonly updated_at: string;
    readonly sandbox: boolean;
    readonly revision: number;
  } | null;
}

/** Lists your media buys, newest first, a page at a time; operators see all. A page of a state may hold fewer than asked for and still have a next_cursor. Changes nothing. */
export interface ListMediaBuysInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
  /** Only these; what is not yours is left out. */
  readonly media_buy_ids?: readonly (string)[] | null | undefined;
  /** Only those in these states. */
  readonly statuses?: readonly ("submitted" | "pending_creatives" | "pending_start" | "active" | "paused" | "completed" | "canceled" | "rejected")[] | null | undefined;
  /** Only those of this account; not looked at with media_buy_ids. */
  readonly account?: {
    /** Id from list_accounts. */
    readonly account_id: string;
  } | {
    /** Domain of the advertiser's brand. */
    readonly brand_domain: string;
    /** Where the domain has several brands. */
    readonly brand_id?: string | null | undefined;
    /** Domain of the company that buys for it, or of the brand itself. */
    readonly operator: string;
    /** True: for tests, nothing is delivered or charged. */
    readonly sandbox?: boolean | null | undefined;
  } | null | undefined;
}

export interface ListMediaBuysOutput {
  readonly media_buys: readonly ({
    readonly media_buy_id: string;
    readonly status: "submitted" | "pending_creatives" | "pending_start" | "active" | "paused" | "completed" | "canceled" | "rejected";
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly task_id: string | null;
    readonly account: {
      readonly account_id: string;
      readonly name: string;
      readonly brand_domain: string;
      readonly brand_id: string | null;
      readonly operator: string;
      readonly billing: string;
      readonly status: "active" | "pending_approval" | "rejected" | "payment_required" | "suspended" | "closed";
      readonly sandbox: boolean;
      readonly revision?: number | undefined;
    };
    readonly brand_domain: string;
    readonly po_number: string | null;
    readonly currency: string;
    readonly total_budget: number;
    readonly start_time: string;
    readonly end_time: string;
    readonly paused: boolean;
    readonly confirmed_at: string | null;
    readonly cancellation: {
      readonly canceled_at: string;
      readonly canceled_by: string;
      readonly reason: string;
    } | null;
    readonly valid_actions: readonly (string)[];
    readonly packages: readonly ({
      readonly package_id: string;
      readonly deal_id: string;
      readonly offer_id: string;
      readonly product_id: string;
      readonly option_id: string;
      readonly deal_type: "PG" | "PD" | "PA";
      readonly currency: string;
      readonly budget: number;
      readonly price: number;
      readonly impressions: number;
      readonly bid_price: number | null;
      readonly start_time: string;
      readonly end_time: string;
      readonly paused: boolean;
      readonly canceled_at: string | null;
      readonly creative_ids: readonly (string)[];
      readonly details: Readonly<Record<string, unknown>>;
    })[];
    readonly history: readonly ({
      readonly revision: number;
      readonly timestamp: string;
      readonly action: string;
      readonly actor: string;
      readonly summary: string;
    })[];
    readonly created_at: string;
    readonly updated_at: string;
    readonly sandbox: boolean;
    readonly revision: number;
  })[];
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Tells the seller how your media buy or one of its packages performed; it reads that in its events. */
export interface RateMediaBuyInput {
  /** Id from book_media_buy. */
  readonly media_buy_id: string;
  readonly package_id?: string | null | undefined;
  /** 1 is what was expected, above it is better. */
  readonly performance_index: number;
  readonly start_time: string;
  readonly end_time: string;
  readonly metric?: string | null | undefined;
  readonly source?: string | null | undefined;
}

export interface RateMediaBuyOutput {
  readonly success: true;
}

/** What your media buys delivered: impressions, clicks and spend by package, from what the seller's edge and ad servers reported, by day where asked for. data_source is none as long as nothing was reported. Changes nothing. */
export interface ReportMediaBuysInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
  /** Only these; what is not yours is left out. */
  readonly media_buy_ids?: readonly (string)[] | null | undefined;
  /** Only those in these states. */
  readonly statuses?: readonly ("submitted" | "pending_creatives" | "pending_start" | "active" | "paused" | "completed" | "canceled" | "rejected")[] | null | undefined;
  /** Only those of this account; not looked at with media_buy_ids. */
  readonly account?: {
    /** Id from list_accounts. */
    readonly account_id: string;
  } | {
    /** Domain of the advertiser's brand. */
    readonly brand_domain: string;
    /** Where the domain has several brands. */
    readonly brand_id?: string | null | undefined;
    /** Domain of the company that buys for it, or of the brand itself. */
    readonly operator: string;
    /** True: for tests, nothing is delivered or charged. */
    readonly sandbox?: boolean | null | undefined;
  } | null | undefined;
  /** First day (UTC); 35 days ago when left out. */
  readonly start_date?: string | null | undefined;
  /** Last day (UTC), at most 400 days after the first; today when left out. */
  readonly end_date?: string | null | undefined;
  readonly by_day?: boolean | null | undefined;
}

export interface ReportMediaBuysOutput {
  readonly start_date: string;
  readonly end_date: string;
  readonly media_buys: readonly ({
    readonly media_buy_id: string;
    readonly status: "submitted" | "pending_creatives" | "pending_start" | "active" | "paused" | "completed" | "canceled" | "rejected";
    readonly currency: string;
    readonly data_source: string;
    readonly impressions: number;
    readonly clicks: number | null;
    readonly spend: number | null;
    readonly packages: readonly ({
      readonly package_id: string;
      readonly price: number;
      readonly data_source: string;
      readonly impressions: number;
      readonly clicks: number | null;
      readonly spend: number | null;
      readonly days: readonly ({
        readonly date: string;
        readonly impressions: number;
        readonly clicks: number | null;
        readonly spend: number | null;
      })[] | null;
    })[];
  })[];
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists whom you buy for, newest first, a page at a time; operators see all accounts. Changes nothing. */
export interface ListAccountsInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
  readonly status?: "active" | "pending_approval" | "rejected" | "payment_required" | "suspended" | "closed" | null | undefined;
  /** True or false: only those that are, or are not, for tests. */
  readonly sandbox?: boolean | null | undefined;
}

export interface ListAccountsOutput {
  readonly accounts: readonly ({
    readonly account_id: string;
    readonly name: string;
    readonly brand_domain: string;
    readonly brand_id: string | null;
    readonly operator: string;
    readonly billing: string;
    readonly status: "active" | "pending_approval" | "rejected" | "payment_required" | "suspended" | "closed";
    readonly sandbox: boolean;
    readonly revision?: number | undefined;
  })[];
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Declares whom you buy for: an advertiser's brand through the company that operates. An account is the same whenever it is named; it changes no price, which your key decides. What the seller does not take is answered with action failed, the others are stored. */
export interface SyncAccountsInput {
  readonly accounts: readonly ({
    /** Domain of the advertiser's brand. */
    readonly brand_domain: string;
    /** Where the domain has several brands. */
    readonly brand_id?: string | null | undefined;
    /** Domain of the company that buys for it, or of the brand itself. */
    readonly operator: string;
    /** True: for tests, nothing is delivered or charged. */
    readonly sandbox?: boolean | null | undefined;
    /** operator is what is taken. */
    readonly billing: string;
  })[];
  /** True: those that are not named are closed. */
  readonly delete_missing?: boolean | undefined;
}

export interface SyncAccountsOutput {
  readonly accounts: readonly ({
    readonly account_id: string;
    readonly name: string;
    readonly brand_domain: string;
    readonly brand_id: string | null;
    readonly operator: string;
    readonly billing: string;
    readonly status: "active" | "pending_approval" | "rejected" | "payment_required" | "suspended" | "closed";
    readonly sandbox: boolean;
    readonly revision?: number | undefined;
    readonly action: "created" | "updated" | "unchanged" | "failed";
    readonly error: string | null;
  })[];
}

/** Lists the creative formats that this seller takes, a page at a time. Changes nothing. */
export interface ListCreativeFormatsInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** Only these. */
  readonly format_ids?: readonly (string)[] | null | undefined;
  /** Only those of these assets: image, video. */
  readonly assets?: readonly (string)[] | null | undefined;
  /** Only those whose name has this text. */
  readonly name?: string | null | undefined;
}

export interface ListCreativeFormatsOutput {
  readonly formats: readonly ({
    readonly format_id: string;
    readonly name: string;
    readonly asset: "image" | "video";
    readonly width: number | null;
    readonly height: number | null;
    readonly seconds: number | null;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists your creatives, newest first, a page at a time; operators see all. Changes nothing. */
export interface ListCreativesInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
  /** Only these of yours. */
  readonly creative_ids?: readonly (string)[] | null | undefined;
  readonly statuses?: readonly ("processing" | "pending_review" | "approved" | "rejected" | "archived")[] | null | undefined;
}

export interface ListCreativesOutput {
  readonly creatives: readonly ({
    readonly creative_id: string;
    readonly name: string;
    readonly format_id: string;
    readonly status: "processing" | "pending_review" | "approved" | "rejected" | "archived";
    readonly rejection_reason: string | null;
    readonly assets: Readonly<Record<string, unknown>>;
    readonly created_at: string;
    readonly updated_at: string;
    readonly revision: number;
  })[];
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Approves or rejects a creative of a buyer. Operators only; what runs with a rejected one waits for another. */
export interface ReviewCreativeInput {
  /** Its owner, as list_creatives names it. */
  readonly buyer: string;
  readonly creative_id: string;
  readonly decision: "approve" | "reject";
  /** Why it is rejected, in words that the buyer reads. */
  readonly reason?: string | null | undefined;
}

export interface ReviewCreativeOutput {
  readonly creative_id: string;
  readonly name: string;
  readonly format_id: string;
  readonly status: "processing" | "pending_review" | "approved" | "rejected" | "archived";
  readonly rejection_reason: string | null;
  readonly assets: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly revision: number;
}

/** Puts creatives into your library, and assigns them to packages of your media buys. Assets are addresses. Each is answered by itself: what is wrong has action failed, the others are stored. A changed one is reviewed again. */
export interface SyncCreativesInput {
  readonly account?: {
    /** Id from list_accounts. */
    readonly account_id: string;
  } | {
    /** Domain of the advertiser's brand. */
    readonly brand_domain: string;
    /** Where the domain has several brands. */
    readonly brand_id?: string | null | undefined;
    /** Domain of the company that buys for it, or of the brand itself. */
    readonly operator: string;
    /** True: for tests, nothing is delivered or charged. */
    readonly sandbox?: boolean | null | undefined;
  } | null | undefined;
  readonly creatives: readonly ({
    /** Of your choice. */
    readonly creative_id: string;
    readonly name: string;
    /** Of list_creative_formats. */
    readonly format_id: string;
    /** By the name of their place: {asset_type, url} and more. */
    readonly assets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  })[];
  /** Added to what is assigned. */
  readonly assignments?: readonly ({
    readonly creative_id: string;
    readonly package_id: string;
  })[] | null | undefined;
  /** True: those that are not named are archived. */
  readonly delete_missing?: boolean | undefined;
}

export interface SyncCreativesOutput {
  readonly creatives: readonly ({
    readonly creative_id: string;
    readonly action: "created" | "updated" | "unchanged" | "failed" | "deleted";
    readonly status: "processing" | "pending_review" | "approved" | "rejected" | "archived" | null;
    readonly error: string | null;
    readonly assigned_to: readonly (string)[];
    readonly assignment_errors: Readonly<Record<string, string>>;
  })[];
}

/** Writes an approved change to its order and deal in one step, with the reserved impressions. Operators only. A cancellation moves the order on and rejects its deal. What a minor change wrote before is not written twice. */
export interface ApplyChangeRequestInput {
  /** The change_request_id of the answer that asked for the change, or of a list. */
  readonly cr_id: string;
}

export interface ApplyChangeRequestOutput {
  readonly change_request_id: string;
  readonly status: "applied";
  readonly order_id: string;
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
}

/** Asks for a change of your order: its dates, impressions, price (units per thousand), creative or targeting, or its cancellation. A minor change is approved and written at once; a material one waits for a review, a critical one for a senior's. flight_start, flight_end, impressions and final_cpm move to the order's deal. */
export interface CreateChangeRequestInput {
  /** Id from create_order. */
  readonly order_id: string;
  /** flight_dates, impressions, pricing, creative, targeting, cancellation or other. */
  readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
  /** Field by field. */
  readonly diffs?: readonly ({
    /** For example flight_end, impressions or final_cpm. */
    readonly field: string;
    /** What you believe it to be; the order's value when left out, never relied on. */
    readonly old_value?: unknown;
    /** What it shall be; null changes nothing. */
    readonly new_value: unknown;
  })[] | null | undefined;
  /** The new values by name; diffs count after them. */
  readonly proposed_values?: Readonly<Record<string, unknown>> | null | undefined;
  /** Why the change is wanted. */
  readonly reason?: string | null | undefined;
  /** For whom, in your words: kept as on_behalf_of. Who asks is the caller. */
  readonly requested_by?: string | null | undefined;
}

export interface CreateChangeRequestOutput {
  readonly change_request_id: string;
  readonly order_id: string;
  readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
  readonly severity: "minor" | "material" | "critical";
  readonly status: "pending" | "validating" | "pending_approval" | "approved" | "rejected" | "withdrawn" | "applied" | "failed";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly diffs: readonly ({
    readonly field: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
  })[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly pricing_impact?: {
    readonly currency: string;
    readonly before: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
    readonly after: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
  } | null | undefined;
  readonly revision?: number | undefined;
  readonly reason: string;
  readonly requested_by: string;
  readonly on_behalf_of?: string | null | undefined;
  readonly withdrawn_by?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
}

/** Returns a change request with its state, severity and errors. Changes nothing. */
export interface GetChangeRequestInput {
  /** The change_request_id of the answer that asked for the change, or of a list. */
  readonly cr_id: string;
}

export interface GetChangeRequestOutput {
  readonly change_request_id: string;
  readonly order_id: string;
  readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
  readonly severity: "minor" | "material" | "critical";
  readonly status: "pending" | "validating" | "pending_approval" | "approved" | "rejected" | "withdrawn" | "applied" | "failed";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly diffs: readonly ({
    readonly field: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
  })[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly pricing_impact?: {
    readonly currency: string;
    readonly before: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
    readonly after: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
  } | null | undefined;
  readonly revision?: number | undefined;
  readonly reason: string;
  readonly requested_by: string;
  readonly on_behalf_of?: string | null | undefined;
  readonly withdrawn_by?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
}

/** Lists the change requests of your orders, newest first, a page at a time; operators see all. Filters combine. Changes nothing. */
export interface ListChangeRequestsInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** Only those of this order. */
  readonly order_id?: string | null | undefined;
  /** Only those in this state: pending, validating, pending_approval, approved, rejected, withdrawn, applied, failed. */
  readonly status?: string | null | undefined;
}

export interface ListChangeRequestsOutput {
  readonly change_requests: readonly ({
    readonly change_request_id: string;
    readonly order_id: string;
    readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
    readonly severity: "minor" | "material" | "critical";
    readonly status: "pending" | "validating" | "pending_approval" | "approved" | "rejected" | "withdrawn" | "applied" | "failed";
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly diffs: readonly ({
      readonly field: string;
      readonly old_value: unknown;
      readonly new_value: unknown;
    })[];
    readonly proposed_values: Readonly<Record<string, unknown>>;
    readonly pricing_impact?: {
      readonly currency: string;
      readonly before: {
        readonly final_cpm: number;
        readonly impressions: number | null;
        readonly total_cost: number | null;
      };
      readonly after: {
        readonly final_cpm: number;
        readonly impressions: number | null;
        readonly total_cost: number | null;
      };
    } | null | undefined;
    readonly revision?: number | undefined;
    readonly reason: string;
    readonly requested_by: string;
    readonly on_behalf_of?: string | null | undefined;
    readonly withdrawn_by?: string | null | undefined;
    readonly deal_summary?: {
      readonly deal_id: string;
      readonly status: string;
      readonly awaiting_approval: boolean;
      readonly cancelled: boolean;
      readonly product_name: string;
      readonly buyer: string;
      readonly buyer_name: string | null;
      readonly flight_start: string;
      readonly flight_end: string;
      readonly impressions: number | null;
      readonly value: number | null;
      readonly currency: string;
    } | undefined;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Approves or rejects a change request that waits. Operators only; a critical one needs the role senior. Writes nothing to the order: apply_change_request does. */
export interface ReviewChangeRequestInput {
  /** The change_request_id of the answer that asked for the change, or of a list. */
  readonly cr_id: string;
  readonly decision: "approve" | "reject";
  /** Who decides, for the record; the label of the key when left out. */
  readonly decided_by?: string | null | undefined;
  /** Why, in words that the buyer may read. */
  readonly reason?: string | null | undefined;
}

export interface ReviewChangeRequestOutput {
  readonly change_request_id: string;
  readonly order_id: string;
  readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
  readonly severity: "minor" | "material" | "critical";
  readonly status: "pending" | "validating" | "pending_approval" | "approved" | "rejected" | "withdrawn" | "applied" | "failed";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly diffs: readonly ({
    readonly field: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
  })[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly pricing_impact?: {
    readonly currency: string;
    readonly before: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
    readonly after: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
  } | null | undefined;
  readonly revision?: number | undefined;
  readonly reason: string;
  readonly requested_by: string;
  readonly on_behalf_of?: string | null | undefined;
  readonly withdrawn_by?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
}

/** Takes back your change request while it waits for its review: a cancellation, a move or another change of a deal. The deal stays as it is. */
export interface WithdrawChangeRequestInput {
  /** The change_request_id of the answer that asked for the change, or of a list. */
  readonly cr_id: string;
  /** Why, in words for the seller. */
  readonly reason?: string | null | undefined;
}

export interface WithdrawChangeRequestOutput {
  readonly change_request_id: string;
  readonly order_id: string;
  readonly change_type: "flight_dates" | "impressions" | "pricing" | "creative" | "targeting" | "cancellation" | "other";
  readonly severity: "minor" | "material" | "critical";
  readonly status: "pending" | "validating" | "pending_approval" | "approved" | "rejected" | "withdrawn" | "applied" | "failed";
  readonly status_text?: string | null | undefined;
  readonly next_step?: string | null | undefined;
  readonly diffs: readonly ({
    readonly field: string;
    readonly old_value: unknown;
    readonly new_value: unknown;
  })[];
  readonly proposed_values: Readonly<Record<string, unknown>>;
  readonly pricing_impact?: {
    readonly currency: string;
    readonly before: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
    readonly after: {
      readonly final_cpm: number;
      readonly impressions: number | null;
      readonly total_cost: number | null;
    };
  } | null | undefined;
  readonly revision?: number | undefined;
  readonly reason: string;
  readonly requested_by: string;
  readonly on_behalf_of?: string | null | undefined;
  readonly withdrawn_by?: string | null | undefined;
  readonly deal_summary?: {
    readonly deal_id: string;
    readonly status: string;
    readonly awaiting_approval: boolean;
    readonly cancelled: boolean;
    readonly product_name: string;
    readonly buyer: string;
    readonly buyer_name: string | null;
    readonly flight_start: string;
    readonly flight_end: string;
    readonly impressions: number | null;
    readonly value: number | null;
    readonly currency: string;
  } | undefined;
}

/** Decides what waits, once, and carries the waiting flow on: approve, reject, or counter for proposals and negotiations with modifications.price (units per thousand) and modifications.impressions. With the revision of the approval's brief as If-Match or if_match it is refused where the record, or its product's price, changed since. Operators only. */
export interface ApproveOrRejectInput {
  /** Id from list_approvals. */
  readonly approval_id: string;
  /** counter: for proposals and negotiations alone, with modifications. */
  readonly decision: "approve" | "reject" | "counter";
  /** Who decides, for the record; the label of the key when left out. */
  readonly decided_by?: string | null | undefined;
  /** Why, in words that the buyer may read. */
  readonly reason?: string | null | undefined;
  /** With counter: price and impressions of the seller's offer. */
  readonly modifications?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface ApproveOrRejectOutput {
  readonly approval_id: string;
  readonly decision: string;
  readonly decided_by: string;
  readonly decided_by_principal: string;
  readonly decided_at: string;
  readonly reason: string;
  readonly modifications: Readonly<Record<string, unknown>>;
}

/** Returns one approval request and the decision about it, null while it waits. Operators only. */
export interface GetApprovalInput {
  /** Id from list_approvals. */
  readonly approval_id: string;
}

export interface GetApprovalOutput {
  readonly request: {
    readonly approval_id: string;
    readonly event_id: string;
    readonly flow_id: string;
    readonly flow_type: string;
    readonly gate_name: string;
    readonly proposal_id: string;
    readonly deal_id: string;
    readonly status: "pending" | "approved" | "rejected" | "timed_out";
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly preferred: boolean;
    readonly created_at: string;
    readonly expires_at: string;
    readonly context: Readonly<Record<string, unknown>>;
    readonly key_request?: {
      readonly key_id: string;
      readonly seat_id: string | null;
      readonly seat_name: string | null;
      readonly agency_id: string | null;
      readonly agency_name: string | null;
      readonly advertiser_id: string | null;
      readonly advertiser_name: string | null;
      readonly label: string | null;
      readonly agent_url: string | null;
      readonly asked_by: string | null;
      readonly asked_by_buyer: string | null;
      readonly asked_from: string | null;
      readonly becomes: string;
      readonly holders: readonly ({
        readonly buyer: string;
        readonly name: string | null;
        readonly active_keys: number;
        readonly newest_key: string;
        readonly newest_label: string | null;
      })[];
    } | null | undefined;
    readonly flow_state_snapshot: Readonly<Record<string, unknown>>;
  };
  readonly response: {
    readonly approval_id: string;
    readonly decision: string;
    readonly decided_by: string;
    readonly decided_by_principal: string;
    readonly decided_at: string;
    readonly reason: string;
    readonly modifications: Readonly<Record<string, unknown>>;
  } | null;
}

/** Lists what waits for an operator's decision, a page at a time, with what is needed to decide: first what preferred agents asked for, then all else, each newest first. Operators only. Changes nothing. */
export interface ListPendingApprovalsInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface ListPendingApprovalsOutput {
  readonly approvals: readonly ({
    readonly approval_id: string;
    readonly event_id: string;
    readonly flow_id: string;
    readonly flow_type: string;
    readonly gate_name: string;
    readonly proposal_id: string;
    readonly deal_id: string;
    readonly status: "pending" | "approved" | "rejected" | "timed_out";
    readonly total_cost?: number | null | undefined;
    readonly status_text?: string | null | undefined;
    readonly next_step?: string | null | undefined;
    readonly preferred: boolean;
    readonly created_at: string;
    readonly expires_at: string;
    readonly context: Readonly<Record<string, unknown>>;
    readonly key_request?: {
      readonly key_id: string;
      readonly seat_id: string | null;
      readonly seat_name: string | null;
      readonly agency_id: string | null;
      readonly agency_name: string | null;
      readonly advertiser_id: string | null;
      readonly advertiser_name: string | null;
      readonly label: string | null;
      readonly agent_url: string | null;
      readonly asked_by: string | null;
      readonly asked_by_buyer: string | null;
      readonly asked_from: string | null;
      readonly becomes: string;
      readonly holders: readonly ({
        readonly buyer: string;
        readonly name: string | null;
        readonly active_keys: number;
        readonly newest_key: string;
        readonly newest_label: string | null;
      })[];
    } | null | undefined;
    readonly flow_state_snapshot: Readonly<Record<string, unknown>>;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Answers what became of the flow after the decision or the timeout, and carries it on where that is still to do. Asking again answers the same. Operators only. */
export interface ResumeApprovalInput {
  /** Id from list_approvals. */
  readonly approval_id: string;
}

export interface ResumeApprovalOutput {
  readonly status: string;
  readonly recommendation: string;
  readonly proposal_id: string;
  readonly counter_terms: Readonly<Record<string, unknown>> | null;
  readonly resumed_from_approval: string;
}

/** Quotes, negotiations, refused calls, deals, impressions and value by day, week or month, at most 62 points, with totals. A buyer sees its own, operators all, one buyer's or one product's. Deals agree with list_deals over the same days of booking. Changes nothing. */
export interface GetActivityInput {
  /** First day, YYYY-MM-DD (UTC); 29 days before the last when left out. */
  readonly from?: string | null | undefined;
  /** Last day; today when left out. */
  readonly to?: string | null | undefined;
  /** Weeks start on Monday. */
  readonly step?: "day" | "week" | "month" | undefined;
  /** Only this product. */
  readonly product_id?: string | null | undefined;
  /** Operators: only this buyer, for example agency:agency-2. Another's name is refused to a buyer. */
  readonly buyer?: string | null | undefined;
  /** Deals over all these days by type, by product (the first 50 of the catalog), or by buyer (of the newest 200 keys; the rest as (others)) too. */
  readonly by?: "none" | "deal_type" | "product" | "buyer" | undefined;
}

export interface GetActivityOutput {
  readonly from: string;
  readonly to: string;
  readonly points: readonly ({
    readonly at: string;
    readonly quotes: number | null;
    readonly negotiated: number | null;
    readonly refused: number | null;
    readonly deals: number;
    readonly lost: number;
    readonly impressions: number;
    readonly values: Readonly<Record<string, number>>;
    readonly standing_values: Readonly<Record<string, number>>;
  })[];
  readonly totals: {
    readonly quotes: number | null;
    readonly negotiated: number | null;
    readonly refused: number | null;
    readonly deals: number;
    readonly lost: number;
    readonly impressions: number;
    readonly values: Readonly<Record<string, number>>;
    readonly standing_values: Readonly<Record<string, number>>;
  };
  readonly groups: readonly ({
    readonly key: string;
    readonly name: string;
    readonly buyer_name?: string | null | undefined;
    readonly deals: number;
    readonly lost: number;
    readonly impressions: number;
    readonly values: Readonly<Record<string, number>>;
    readonly standing_values: Readonly<Record<string, number>>;
  })[];
}

/** All that one decision needs: who asks for what, where the price stands between floor, offer and list, its worth, the rounds, the inventory, and what each decision leads to. Prices in units per thousand. Operators only; decide with approve_or_reject. */
export interface GetApprovalBriefInput {
  /** Id from list_approvals. */
  readonly approval_id: string;
}

export interface GetApprovalBriefOutput {
  readonly approval_id: string;
  readonly revision: number;
  readonly flow_type: string;
  readonly flow_id: string;
  readonly status: string;
  readonly preferred: boolean;
  readonly expires_at: string;
  readonly seconds_left: number;
  readonly buyer: {
    readonly owner: string;
    readonly name: string | null;
    readonly verified: boolean;
    readonly tier: string | null;
    readonly tier_reason: string | null;
    readonly trust_status: string | null;
    readonly agent_url: string | null;
    readonly deals: {
      readonly count: number;
      readonly lost: number;
      readonly values: Readonly<Record<string, number>>;
      readonly standing_values: Readonly<Record<string, number>>;
    };
  };
  readonly similar: readonly ({
    readonly deal_id: string;
    readonly status: string;
    readonly price: number;
    readonly impressions: number | null;
    readonly booked_at: string;
  })[];
  readonly product: {
    readonly product_id: string;
    readonly name: string;
  } | null;
  readonly currency: string | null;
  readonly impressions: number | null;
  readonly flight_start: string | null;
  readonly flight_end: string | null;
  readonly deal_type: string | null;
  readonly prices: {
    readonly floor: number | null;
    readonly offer: number | null;
    readonly would: number | null;
    readonly computed: number | null;
    readonly list: number | null;
    readonly last_ours: number | null;
  };
  readonly value: number | null;
  readonly headline: string;
  readonly key_request?: {
    readonly key_id: string;
    readonly seat_id: string | null;
    readonly seat_name: string | null;
    readonly agency_id: string | null;
    readonly agency_name: string | null;
    readonly advertiser_id: string | null;
    readonly advertiser_name: string | null;
    readonly label: string | null;
    readonly agent_url: string | null;
    readonly asked_by: string | null;
    readonly asked_by_buyer: string | null;
    readonly asked_from: string | null;
    readonly becomes: string;
    readonly holders: readonly ({
      readonly buyer: string;
      readonly name: string | null;
      readonly active_keys: number;
      readonly newest_key: string;
      readonly newest_label: string | null;
    })[];
  } | null | undefined;
  readonly rules: {
    readonly would: string;
    readonly price: number | null;
    readonly because: string;
  } | null;
  readonly gate: {
    readonly flow: string;
    readonly above_value: number;
  };
  readonly rounds: readonly ({
    readonly round_number: number;
    readonly buyer_price: number | null;
    readonly seller_price: number;
    readonly action: string;
    readonly concession_pct: number;
    readonly cumulative_concession_pct: number;
    readonly rationale: string;
    readonly buyer_rationale?: string | null | undefined;
    readonly timestamp?: string | null | undefined;
  })[];
  readonly changes_waiting: readonly ({
    readonly change_request_id: string;
    readonly change_type: string;
    readonly reason: string;
  })[];
  readonly inventory: {
    readonly cap: number | null;
    readonly held: number;
    readonly busiest_day: string | null;
    readonly left_before: number | null;
    readonly left_after: number | null;
  } | null;
  readonly packages?: readonly ({
    readonly product_id: string;
    readonly name: string;
    readonly deal_type: string;
    readonly price: number;
    readonly budget: number;
    readonly impressions: number;
  })[] | undefined;
  readonly outcomes: {
    readonly approve: string;
    readonly reject: string;
    readonly counter: {
      readonly min: number | null;
      readonly max: number | null;
    } | null;
  };
}

/** Guaranteed inventory by product and month: the cap, the most that deals hold on a day (each its whole volume on each day of its flight), and what is left on that day; cap and left are null without a cap. Operators only; changes nothing. */
export interface GetCapacityReportInput {
  /** These products; when left out, a page of the catalog. */
  readonly product_id?: readonly (string)[] | null | undefined;
  /** Any day of the first month; this month when left out. */
  readonly from?: string | null | undefined;
  /** How many months. */
  readonly months?: number | undefined;
  /** Products of the catalog to leave out. */
  readonly offset?: number | undefined;
}

export interface GetCapacityReportOutput {
  readonly products: readonly ({
    readonly product_id: string;
    readonly name: string;
    readonly months: readonly ({
      readonly month: string;
      readonly cap: number | null;
      readonly held: number;
      readonly left: number | null;
    })[];
  })[];
  readonly total: number;
  readonly next_offset: number | null;
}

/** What needs an operator now: approvals, buyers that ask for a person, price talks, deals to activate, change requests, failed orders, webhooks, refused calls and full inventory, each with its number, the oldest and the operation to call next. Use it first. Operators only; changes nothing. */
export type GetDeskStatusInput = Readonly<Record<string, unknown>>;

export interface GetDeskStatusOutput {
  readonly at: string;
  readonly approvals: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
    readonly values: Readonly<Record<string, number>> | null;
  };
  readonly handovers: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
  };
  readonly negotiations: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
  };
  readonly activation: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
  };
  readonly changes: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
    readonly unwritten: number;
  };
  readonly orders: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
  };
  readonly webhooks: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
    readonly dead: number;
  };
  readonly refusals: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
    readonly most: string | null;
  };
  readonly inventory: {
    readonly state: "ok" | "look" | "act";
    readonly count: number;
    readonly oldest_at: string | null;
    readonly next: string;
    readonly fullest: {
      readonly product_id: string;
      readonly name: string;
      readonly held_share: number;
    } | null;
  };
}

/** One buyer: who it is, its tier and why, trust, deals and value, refused calls, and its newest keys. Operators only; next: set_agent_trust, revoke_api_key, or list_deals with buyer. Changes nothing. */
export interface GetBuyerInput {
  /** The owner from list_buyers or a deal's buyer. */
  readonly owner: string;
}

export interface GetBuyerOutput {
  readonly owner: string;
  readonly name: string | null;
  readonly names: {
    readonly seat: string | null;
    readonly agency: string | null;
    readonly advertiser: string | null;
    readonly holding_company: string | null;
  };
  readonly verified: boolean;
  readonly tier: "public" | "seat" | "agency" | "advertiser" | null;
  readonly ceiling: "public" | "seat" | "agency" | "advertiser" | null;
  readonly tier_reason: string;
  readonly trust_status: "unknown" | "registered" | "approved" | "preferred" | "blocked" | null;
  readonly agent_url: string | null;
  readonly agent_id: string | null;
  readonly keys: number;
  readonly deals: {
    readonly count: number;
    readonly lost: number;
    readonly impressions: number;
    readonly values: Readonly<Record<string, number>>;
    readonly standing_values: Readonly<Record<string, number>>;
  };
  readonly refused: number;
  readonly first_seen: string;
  readonly last_seen: string | null;
  readonly api_keys: readonly ({
    readonly key_id: string;
    readonly seat_id: string | null;
    readonly agency_id: string | null;
    readonly advertiser_id: string | null;
    readonly label: string | null;
    readonly created_at: string;
    readonly expires_at: string | null;
    readonly is_active: boolean;
    readonly last_used_at: string | null;
    readonly use_count: number;
    readonly role: string;
    readonly verified: boolean;
    readonly revoked: boolean;
    readonly key_prefix_hint: string;
    readonly identity: {
      readonly seat_id: string | null;
      readonly agency_id: string | null;
      readonly advertiser_id: string | null;
    };
  })[];
}

/** Lists the buyers that hold a key, newest first: who they are, their tier and why, trust, deals and value. Give an `owner` to get_buyer, list_deals or get_activity for more. Operators only; changes nothing. */
export interface ListBuyersInput {
  /** Text in the names, label, owner or agent's URL. */
  readonly q?: string | null | undefined;
  /** Only buyers whose identity is verified, or only the others. */
  readonly verified?: boolean | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** The next_cursor of the page before, with the same filters. */
  readonly cursor?: string | null | undefined;
}

export interface ListBuyersOutput {
  readonly buyers: readonly ({
    readonly owner: string;
    readonly name: string | null;
    readonly names: {
      readonly seat: string | null;
      readonly agency: string | null;
      readonly advertiser: string | null;
      readonly holding_company: string | null;
    };
    readonly verified: boolean;
    readonly tier: "public" | "seat" | "agency" | "advertiser" | null;
    readonly ceiling: "public" | "seat" | "agency" | "advertiser" | null;
    readonly tier_reason: string;
    readonly trust_status: "unknown" | "registered" | "approved" | "preferred" | "blocked" | null;
    readonly agent_url: string | null;
    readonly agent_id: string | null;
    readonly keys: number;
    readonly deals: {
      readonly count: number;
      readonly lost: number;
      readonly impressions: number;
      readonly values: Readonly<Record<string, number>>;
      readonly standing_values: Readonly<Record<string, number>>;
    };
    readonly refused: number;
    readonly first_seen: string;
    readonly last_seen: string | null;
  })[];
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Shows the seller's media kit: its name, the featured packages and all packages in the public view, newest first, a page at a time. Changes nothing. */
export interface GetMediaKitInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface GetMediaKitOutput {
  readonly seller_name: string;
  readonly total_packages: number;
  readonly featured_count: number;
  readonly featured: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly layer: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly cattax: number;
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly audience_capabilities: {
      readonly standard_taxonomy_version: string;
      readonly contextual_taxonomy_version: string;
    };
  })[];
  readonly all_packages: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly layer: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly cattax: number;
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly audience_capabilities: {
      readonly standard_taxonomy_version: string;
      readonly contextual_taxonomy_version: string;
    };
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Returns one active package in the public view; get_package shows a key's own price. Changes nothing. */
export interface GetMediaKitPackageInput {
  /** Id from list_media_kit_packages. */
  readonly package_id: string;
}

export interface GetMediaKitPackageOutput {
  readonly package_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly layer: string;
  readonly ad_formats: readonly (string)[];
  readonly device_types: readonly (number)[];
  readonly cat: readonly (string)[];
  readonly cattax: number;
  readonly geo_targets: readonly (string)[];
  readonly tags: readonly (string)[];
  readonly price_range: string;
  readonly rate_type: string;
  readonly is_featured: boolean;
  readonly audience_capabilities: {
    readonly standard_taxonomy_version: string;
    readonly contextual_taxonomy_version: string;
  };
}

/** Lists the active packages in the public view, newest first, narrowed by layer, featured or kind of audience. Changes nothing. */
export interface ListMediaKitPackagesInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** synced, curated or dynamic. */
  readonly layer?: "synced" | "curated" | "dynamic" | "" | null | undefined;
  /** Featured packages only. */
  readonly featured_only?: boolean | undefined;
  /** standard, contextual or agentic. */
  readonly audience_type?: "standard" | "contextual" | "agentic" | "" | null | undefined;
  /** A segment id of that type; needs a key with exact prices. */
  readonly audience_id?: string | null | undefined;
  /** Taxonomy version of that type. */
  readonly audience_taxonomy_version?: string | null | undefined;
}

export interface ListMediaKitPackagesOutput {
  readonly packages: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly layer: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly cattax: number;
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly audience_capabilities: {
      readonly standard_taxonomy_version: string;
      readonly contextual_taxonomy_version: string;
    };
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Searches the active packages for words in their names, descriptions, tags, content categories and formats, best first. A key whose tier sees exact prices gets its own CPM, and finds audience segments too. Changes nothing. */
export interface SearchMediaKitInput {
  /** Words, for example: premium sports ctv. */
  readonly query: string;
  readonly audience_filter?: {
    /** standard, contextual or agentic. */
    readonly audience_type?: "standard" | "contextual" | "agentic" | "" | null | undefined;
    /** A segment id; needs a key with exact prices. */
    readonly audience_id?: string | null | undefined;
    readonly taxonomy_version?: string | null | undefined;
  } | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** Ignored: the API key decides the tier. */
  readonly buyer_tier?: string | null | undefined;
  /** Ignored: the API key decides. */
  readonly agency_id?: string | null | undefined;
  /** Ignored: the API key decides. */
  readonly advertiser_id?: string | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface SearchMediaKitOutput {
  readonly results: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly layer: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly cattax: number;
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly audience_capabilities: {
      readonly standard_taxonomy_version: string;
      readonly contextual_taxonomy_version: string;
    };
    readonly deal_types?: readonly ("PG" | "PD" | "PA")[] | undefined;
    readonly exact_price?: number | undefined;
    readonly floor_price?: number | null | undefined;
    readonly currency?: string | undefined;
    readonly placements?: readonly ({
      readonly product_id: string;
      readonly product_name: string;
      readonly ad_formats: readonly (string)[];
      readonly device_types: readonly (number)[];
      readonly weight: number;
    })[] | undefined;
    readonly audience_segment_ids?: readonly (string)[] | undefined;
    readonly negotiation_enabled?: boolean | undefined;
    readonly volume_discounts_available?: boolean | undefined;
    readonly status?: string | undefined;
    readonly base_price?: number | undefined;
    readonly revision?: number | undefined;
  })[];
  readonly total: number;
  readonly count: number;
}

/** Takes a package out of the media kit. Its record stays, and update_package with the status active brings it back. Archiving twice is the same as once. Operators only. */
export interface ArchivePackageInput {
  /** Id from list_packages. */
  readonly package_id: string;
}

export interface ArchivePackageOutput {
  readonly package_id: string;
  readonly status: "archived";
}

/** Assembles a dynamic package from products of the catalog: their formats and devices together, and the mean of their list prices. Buyers see it at once. Operators only. */
export interface AssemblePackageInput {
  readonly name: string;
  readonly product_ids: readonly (string)[];
  readonly floor_price?: number | null | undefined;
}

export interface AssemblePackageOutput {
  readonly package_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly layer: string;
  readonly status: string;
  readonly placements: readonly ({
    readonly product_id: string;
    readonly product_name: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly weight: number;
  })[];
  readonly base_price: number;
  readonly floor_price: number | null;
  readonly currency: string;
  readonly is_featured: boolean;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly revision: number;
  readonly unresolved_ids?: readonly (string)[] | undefined;
  readonly warnings?: readonly (string)[] | undefined;
}

/** Creates a curated package and shows it to buyers at once, or to the tiers of visible_to; request_quote takes its id. Prices are per thousand impressions; without base_price it costs what its products cost together. Product ids that are not in the catalog are left out and named. Operators only. */
export interface CreatePackageInput {
  readonly name: string;
  readonly base_price?: number | null | undefined;
  readonly floor_price?: number | null | undefined;
  readonly product_ids?: readonly (string)[] | undefined;
  /** Gives formats and devices where neither is named. */
  readonly inventory_type?: string | null | undefined;
  readonly description?: string | null | undefined;
  /** IAB content categories of the taxonomy that cattax names. */
  readonly cat?: readonly (string)[] | undefined;
  readonly cattax?: number | undefined;
  readonly audience_capabilities?: {
    readonly standard_segment_ids?: readonly (string)[] | undefined;
    readonly standard_taxonomy_version?: string | undefined;
    readonly contextual_segment_ids?: readonly (string)[] | undefined;
    readonly contextual_taxonomy_version?: string | undefined;
    readonly agentic_capabilities?: {
      readonly supported_signal_types?: readonly ("identity" | "contextual" | "reinforcement")[] | undefined;
      readonly embedding_dim_range?: readonly [number, number] | undefined;
      readonly spec_version?: string | undefined;
      readonly consent_modes?: readonly (string)[] | undefined;
    } | null | undefined;
  } | null | undefined;
  /** IAB Audience Taxonomy 1.1 ids. */
  readonly audience_segment_ids?: readonly (string)[] | null | undefined;
  /** AdCOM device types, for example 3 and 7. */
  readonly device_types?: readonly (number)[] | undefined;
  readonly ad_formats?: readonly (string)[] | undefined;
  readonly geo_targets?: readonly (string)[] | undefined;
  readonly tags?: readonly (string)[] | undefined;
  readonly is_featured?: boolean | undefined;
  readonly seasonal_label?: string | null | undefined;
  /** Left out: the currency of the products, else USD. */
  readonly currency?: string | null | undefined;
  /** Only these tiers; null: everybody. */
  readonly visible_to?: readonly ("public" | "seat" | "agency" | "advertiser")[] | null | undefined;
}

export interface CreatePackageOutput {
  readonly package_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly layer: string;
  readonly status: string;
  readonly placements: readonly ({
    readonly product_id: string;
    readonly product_name: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly weight: number;
  })[];
  readonly base_price: number;
  readonly floor_price: number | null;
  readonly currency: string;
  readonly is_featured: boolean;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly revision: number;
  readonly unresolved_ids?: readonly (string)[] | undefined;
  readonly warnings?: readonly (string)[] | undefined;
}

/** Returns one active package, priced as list_packages does. Operators see drafts and archived ones too. Changes nothing. */
export interface GetPackageInput {
  /** Id from list_packages. */
  readonly package_id: string;
  /** Ignored: the API key decides the tier. */
  readonly buyer_tier?: string | null | undefined;
  /** Ignored: the API key decides. */
  readonly agency_id?: string | null | undefined;
  /** Ignored: the API key decides. */
  readonly advertiser_id?: string | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface GetPackageOutput {
  readonly package_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly layer: string;
  readonly ad_formats: readonly (string)[];
  readonly device_types: readonly (number)[];
  readonly cat: readonly (string)[];
  readonly cattax: number;
  readonly geo_targets: readonly (string)[];
  readonly tags: readonly (string)[];
  readonly price_range: string;
  readonly rate_type: string;
  readonly is_featured: boolean;
  readonly audience_capabilities: {
    readonly standard_taxonomy_version: string;
    readonly contextual_taxonomy_version: string;
  };
  readonly deal_types?: readonly ("PG" | "PD" | "PA")[] | undefined;
  readonly exact_price?: number | undefined;
  readonly floor_price?: number | null | undefined;
  readonly currency?: string | undefined;
  readonly placements?: readonly ({
    readonly product_id: string;
    readonly product_name: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly weight: number;
  })[] | undefined;
  readonly audience_segment_ids?: readonly (string)[] | undefined;
  readonly negotiation_enabled?: boolean | undefined;
  readonly volume_discounts_available?: boolean | undefined;
  readonly status?: string | undefined;
  readonly base_price?: number | undefined;
  readonly revision?: number | undefined;
}

/** Lists the active packages, newest first, a page at a time. With a key whose tier sees exact prices the caller's own CPM, placements and audience segments; without one the public view. Changes nothing. */
export interface ListPackagesInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** synced, curated or dynamic. */
  readonly layer?: "synced" | "curated" | "dynamic" | "" | null | undefined;
  /** Featured packages only. */
  readonly featured_only?: boolean | undefined;
  /** standard, contextual or agentic. */
  readonly audience_type?: "standard" | "contextual" | "agentic" | "" | null | undefined;
  /** A segment id of that type; needs a key with exact prices. */
  readonly audience_id?: string | null | undefined;
  /** Taxonomy version of that type. */
  readonly audience_taxonomy_version?: string | null | undefined;
  /** Operators only. */
  readonly status?: "draft" | "active" | "archived" | undefined;
  /** Ignored: the API key decides the tier. */
  readonly buyer_tier?: string | null | undefined;
  /** Ignored: the API key decides. */
  readonly agency_id?: string | null | undefined;
  /** Ignored: the API key decides. */
  readonly advertiser_id?: string | null | undefined;
  /** URL of the buyer agent; its trust status caps the access tier. */
  readonly agent_url?: string | null | undefined;
}

export interface ListPackagesOutput {
  readonly packages: readonly ({
    readonly package_id: string;
    readonly name: string;
    readonly description: string | null;
    readonly layer: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly cat: readonly (string)[];
    readonly cattax: number;
    readonly geo_targets: readonly (string)[];
    readonly tags: readonly (string)[];
    readonly price_range: string;
    readonly rate_type: string;
    readonly is_featured: boolean;
    readonly audience_capabilities: {
      readonly standard_taxonomy_version: string;
      readonly contextual_taxonomy_version: string;
    };
    readonly deal_types?: readonly ("PG" | "PD" | "PA")[] | undefined;
    readonly exact_price?: number | undefined;
    readonly floor_price?: number | null | undefined;
    readonly currency?: string | undefined;
    readonly placements?: readonly ({
      readonly product_id: string;
      readonly product_name: string;
      readonly ad_formats: readonly (string)[];
      readonly device_types: readonly (number)[];
      readonly weight: number;
    })[] | undefined;
    readonly audience_segment_ids?: readonly (string)[] | undefined;
    readonly negotiation_enabled?: boolean | undefined;
    readonly volume_discounts_available?: boolean | undefined;
    readonly status?: string | undefined;
    readonly base_price?: number | undefined;
    readonly revision?: number | undefined;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Imports the inventory of the configured ad server as one synced package per inventory type. Only what differs is written, packages whose inventory is gone are removed, other layers are left alone. Without an ad server four sample packages stand in. Operators only. */
export interface SyncPackagesInput {
  /** Reads only what changed since the last import, and removes only what is named as archived. */
  readonly incremental?: boolean | undefined;
}

export interface SyncPackagesOutput {
  readonly status: "synced";
  readonly source: string;
  readonly synced_packages: readonly (string)[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly removed: number;
  readonly warnings: readonly (string)[];
}

/** Changes the named fields of a package and leaves the others. Lists are replaced whole. The id, the layer, the source and the times cannot be changed. Operators only. */
export interface UpdatePackageInput {
  /** Id from list_packages. */
  readonly package_id: string;
  readonly name?: string | undefined;
  readonly status?: "draft" | "active" | "archived" | undefined;
  /** CPM before tier discounts; above zero. */
  readonly base_price?: number | undefined;
  /** Replaces the placements by one for each product. */
  readonly product_ids?: readonly (string)[] | undefined;
  readonly placements?: readonly ({
    readonly product_id: string;
    readonly product_name?: string | undefined;
    readonly ad_formats?: readonly (string)[] | undefined;
    /** AdCOM device types, for example 3 and 7. */
    readonly device_types?: readonly (number)[] | undefined;
    readonly weight?: number | undefined;
  })[] | undefined;
  readonly pricing_type?: "fixed" | "floor" | "on_request" | undefined;
  readonly rate_type?: string | undefined;
  readonly description?: string | null | undefined;
  /** IAB content categories of the taxonomy that cattax names. */
  readonly cat?: readonly (string)[] | undefined;
  readonly cattax?: number | undefined;
  readonly audience_capabilities?: {
    readonly standard_segment_ids?: readonly (string)[] | undefined;
    readonly standard_taxonomy_version?: string | undefined;
    readonly contextual_segment_ids?: readonly (string)[] | undefined;
    readonly contextual_taxonomy_version?: string | undefined;
    readonly agentic_capabilities?: {
      readonly supported_signal_types?: readonly ("identity" | "contextual" | "reinforcement")[] | undefined;
      readonly embedding_dim_range?: readonly [number, number] | undefined;
      readonly spec_version?: string | undefined;
      readonly consent_modes?: readonly (string)[] | undefined;
    } | null | undefined;
  } | null | undefined;
  /** IAB Audience Taxonomy 1.1 ids. */
  readonly audience_segment_ids?: readonly (string)[] | null | undefined;
  /** AdCOM device types, for example 3 and 7. */
  readonly device_types?: readonly (number)[] | undefined;
  readonly ad_formats?: readonly (string)[] | undefined;
  readonly geo_targets?: readonly (string)[] | undefined;
  readonly tags?: readonly (string)[] | undefined;
  readonly is_featured?: boolean | undefined;
  readonly seasonal_label?: string | null | undefined;
  readonly currency?: string | undefined;
  /** Only these tiers; null: everybody. */
  readonly visible_to?: readonly ("public" | "seat" | "agency" | "advertiser")[] | null | undefined;
  readonly floor_price?: number | null | undefined;
  readonly layer?: unknown;
  readonly ad_server_source?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
  readonly revision?: unknown;
}

export interface UpdatePackageOutput {
  readonly package_id: string;
  readonly name: string;
  readonly description: string | null;
  readonly layer: string;
  readonly status: string;
  readonly placements: readonly ({
    readonly product_id: string;
    readonly product_name: string;
    readonly ad_formats: readonly (string)[];
    readonly device_types: readonly (number)[];
    readonly weight: number;
  })[];
  readonly base_price: number;
  readonly floor_price: number | null;
  readonly currency: string;
  readonly is_featured: boolean;
  readonly created_at: string;
  readonly updated_at: string | null;
  readonly revision: number;
  readonly unresolved_ids?: readonly (string)[] | undefined;
  readonly warnings?: readonly (string)[] | undefined;
}

/** Sets a product's price, floor, accept_from or cap of guaranteed impressions, at once or from a day on: effective_from is the first day of flight (a flight that starts on it or later has the new values, whenever it is booked), booked_from the first day of booking. Quotes and deals that exist keep theirs. Refused: a price under the floor, a cap under what deals hold, a day in the past. Operators only. */
export interface UpdateProductInput {
  /** Id from list_products. */
  readonly product_id: string;
  /** List price, in units per thousand. */
  readonly base_cpm?: number | null | undefined;
  /** Lowest price to agree to; never shown to buyers. */
  readonly floor_cpm?: number | null | undefined;
  /** Least target_cpm that a quote takes, never shown to buyers: a price, a share of the list price as 85%, or floor, as it is when never set. */
  readonly accept_from?: number | "floor" | string | null | undefined;
  /** Cap: the volumes of the deals that run on one day, each whole. */
  readonly maximum_impressions?: number | null | undefined;
  /** Takes the cap away. */
  readonly no_cap?: boolean | undefined;
  /** First day of flight, YYYY-MM-DD (UTC); today when left out. */
  readonly effective_from?: string | null | undefined;
  /** Instead: first day of booking, for flights of any days from then on. */
  readonly booked_from?: string | null | undefined;
  /** Why, for other operators. */
  readonly reason?: string | null | undefined;
}

export interface UpdateProductOutput {
  readonly product_id: string;
  readonly currency: string;
  readonly effective_from?: string | undefined;
  readonly booked_from?: string | undefined;
  readonly status_text: string;
  readonly before: {
    readonly base_cpm: number | null;
    readonly floor_cpm: number | null;
    readonly accept_from: number | string | null;
    readonly maximum_impressions: number | null;
    readonly until: string;
  };
  readonly after: {
    readonly base_cpm: number | null;
    readonly floor_cpm: number | null;
    readonly accept_from: number | string | null;
    readonly maximum_impressions: number | null;
    readonly from: string;
  };
  readonly changes: readonly ({
    readonly effective_from?: string | undefined;
    readonly booked_from?: string | undefined;
    readonly changed_by: string;
    readonly changed_at: string;
    readonly reason: string;
  })[];
  readonly revision: number;
}

/** Shows the price per thousand of each inventory type that imported packages start with; what a product costs, list_products says. Callers without exact prices see ranges. Changes nothing. */
export type GetRateCardInput = Readonly<Record<string, unknown>>;

export interface GetRateCardOutput {
  readonly revision?: number | undefined;
  readonly entries: readonly ({
    readonly inventory_type: string;
    readonly base_cpm: number | null;
    readonly price_range: string | null;
    readonly currency: string;
    readonly effective_date: string | null;
    readonly notes: string | null;
  })[];
  readonly updated_at: string;
}

/** Replaces the rate card. Packages that are imported from now on start with its prices; products, and packages that are there, keep theirs. Operators only. */
export interface UpdateRateCardInput {
  readonly entries: readonly ({
    readonly inventory_type: string;
    /** Price per thousand impressions. */
    readonly base_cpm: number;
    readonly currency?: string | undefined;
    /** The first day, UTC; left out: at once. */
    readonly effective_date?: string | null | undefined;
    readonly notes?: string | null | undefined;
  })[];
}

export interface UpdateRateCardOutput {
  readonly revision?: number | undefined;
  readonly entries: readonly ({
    readonly inventory_type: string;
    readonly base_cpm: number | null;
    readonly price_range: string | null;
    readonly currency: string;
    readonly effective_date: string | null;
    readonly notes: string | null;
  })[];
  readonly updated_at: string;
}

/** Shows the rules that this seller sells by: who it is, what waits for a person and how long, tier and volume discounts, the lowest price, and how far it goes in negotiations; with what the environment fixes. Operators only. Changes nothing. */
export type GetSellingRulesInput = Readonly<Record<string, unknown>>;

export interface GetSellingRulesOutput {
  readonly values: {
    readonly seller_name: string;
    readonly publisher_domain: string;
    readonly approval_enabled: boolean;
    readonly approval_flows: readonly ("proposal" | "negotiation" | "deal" | "api_key" | "media_buy")[];
    readonly approval_above_value: number;
    readonly approval_timeout_hours: number;
    readonly quote_ttl_seconds: number;
    readonly deal_proposal_ttl_days: number;
    readonly tier_discounts: {
      readonly public: number;
      readonly seat: number;
      readonly agency: number;
      readonly advertiser: number;
    };
    readonly global_floor_cpm: number;
    readonly volume_discounts: readonly ({
      readonly min_impressions: number;
      readonly discount_pct: number;
    })[];
    readonly negotiation: {
      readonly seat: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
      readonly agency: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
      readonly advertiser: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
    };
  };
  readonly start_values: {
    readonly seller_name: string;
    readonly publisher_domain: string;
    readonly approval_enabled: boolean;
    readonly approval_flows: readonly ("proposal" | "negotiation" | "deal" | "api_key" | "media_buy")[];
    readonly approval_above_value: number;
    readonly approval_timeout_hours: number;
    readonly quote_ttl_seconds: number;
    readonly deal_proposal_ttl_days: number;
    readonly tier_discounts: {
      readonly public: number;
      readonly seat: number;
      readonly agency: number;
      readonly advertiser: number;
    };
    readonly global_floor_cpm: number;
    readonly volume_discounts: readonly ({
      readonly min_impressions: number;
      readonly discount_pct: number;
    })[];
    readonly negotiation: {
      readonly seat: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
      readonly agency: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
      readonly advertiser: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
    };
  };
  readonly stored: readonly ("seller_name" | "publisher_domain" | "approval_enabled" | "approval_flows" | "approval_above_value" | "approval_timeout_hours" | "quote_ttl_seconds" | "deal_proposal_ttl_days" | "tier_discounts" | "global_floor_cpm" | "volume_discounts" | "negotiation")[];
  readonly fixed: readonly ({
    readonly name: "seller_name" | "publisher_domain" | "approval_enabled" | "approval_flows" | "approval_above_value" | "approval_timeout_hours" | "quote_ttl_seconds" | "deal_proposal_ttl_days" | "tier_discounts" | "global_floor_cpm" | "volume_discounts" | "negotiation";
    readonly variable: string;
  })[];
  readonly revision: number;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}

/** Changes rules that this seller sells by, at once and for what begins from now on; those left out stay. A dry run says what the rules would have decided in the last 30 days. Needs an operator's key with the role senior. */
export interface UpdateSellingRulesInput {
  readonly seller_name?: string | null | undefined;
  readonly publisher_domain?: string | null | undefined;
  readonly approval_enabled?: boolean | null | undefined;
  readonly approval_flows?: readonly ("proposal" | "negotiation" | "deal" | "api_key" | "media_buy")[] | null | undefined;
  readonly approval_above_value?: number | null | undefined;
  readonly approval_timeout_hours?: number | null | undefined;
  readonly quote_ttl_seconds?: number | null | undefined;
  readonly deal_proposal_ttl_days?: number | null | undefined;
  readonly tier_discounts?: {
    readonly public: number;
    readonly seat: number;
    readonly agency: number;
    readonly advertiser: number;
  } | null | undefined;
  readonly global_floor_cpm?: number | null | undefined;
  readonly volume_discounts?: readonly ({
    readonly min_impressions: number;
    readonly discount_pct: number;
  })[] | null | undefined;
  readonly negotiation?: {
    readonly seat: {
      readonly rounds: number;
      /** The most given in one round, of the base price. */
      readonly round_cap_pct: number;
      /** The most given in all, of the buyer's computed price. */
      readonly total_cap_pct: number;
      /** Share of the gap to the offer that a counter gives. */
      readonly gap_share: number;
    };
    readonly agency: {
      readonly rounds: number;
      /** The most given in one round, of the base price. */
      readonly round_cap_pct: number;
      /** The most given in all, of the buyer's computed price. */
      readonly total_cap_pct: number;
      /** Share of the gap to the offer that a counter gives. */
      readonly gap_share: number;
    };
    readonly advertiser: {
      readonly rounds: number;
      /** The most given in one round, of the base price. */
      readonly round_cap_pct: number;
      /** The most given in all, of the buyer's computed price. */
      readonly total_cap_pct: number;
      /** Share of the gap to the offer that a counter gives. */
      readonly gap_share: number;
    };
  } | null | undefined;
  /** These go back to what the agent was started with. */
  readonly reset?: readonly ("seller_name" | "publisher_domain" | "approval_enabled" | "approval_flows" | "approval_above_value" | "approval_timeout_hours" | "quote_ttl_seconds" | "deal_proposal_ttl_days" | "tier_discounts" | "global_floor_cpm" | "volume_discounts" | "negotiation")[] | null | undefined;
}

export interface UpdateSellingRulesOutput {
  readonly values: {
    readonly seller_name: string;
    readonly publisher_domain: string;
    readonly approval_enabled: boolean;
    readonly approval_flows: readonly ("proposal" | "negotiation" | "deal" | "api_key" | "media_buy")[];
    readonly approval_above_value: number;
    readonly approval_timeout_hours: number;
    readonly quote_ttl_seconds: number;
    readonly deal_proposal_ttl_days: number;
    readonly tier_discounts: {
      readonly public: number;
      readonly seat: number;
      readonly agency: number;
      readonly advertiser: number;
    };
    readonly global_floor_cpm: number;
    readonly volume_discounts: readonly ({
      readonly min_impressions: number;
      readonly discount_pct: number;
    })[];
    readonly negotiation: {
      readonly seat: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
      readonly agency: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
      readonly advertiser: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
    };
  };
  readonly start_values: {
    readonly seller_name: string;
    readonly publisher_domain: string;
    readonly approval_enabled: boolean;
    readonly approval_flows: readonly ("proposal" | "negotiation" | "deal" | "api_key" | "media_buy")[];
    readonly approval_above_value: number;
    readonly approval_timeout_hours: number;
    readonly quote_ttl_seconds: number;
    readonly deal_proposal_ttl_days: number;
    readonly tier_discounts: {
      readonly public: number;
      readonly seat: number;
      readonly agency: number;
      readonly advertiser: number;
    };
    readonly global_floor_cpm: number;
    readonly volume_discounts: readonly ({
      readonly min_impressions: number;
      readonly discount_pct: number;
    })[];
    readonly negotiation: {
      readonly seat: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
      readonly agency: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
      readonly advertiser: {
        readonly rounds: number;
        readonly round_cap_pct: number;
        readonly total_cap_pct: number;
        readonly gap_share: number;
      };
    };
  };
  readonly stored: readonly ("seller_name" | "publisher_domain" | "approval_enabled" | "approval_flows" | "approval_above_value" | "approval_timeout_hours" | "quote_ttl_seconds" | "deal_proposal_ttl_days" | "tier_discounts" | "global_floor_cpm" | "volume_discounts" | "negotiation")[];
  readonly fixed: readonly ({
    readonly name: "seller_name" | "publisher_domain" | "approval_enabled" | "approval_flows" | "approval_above_value" | "approval_timeout_hours" | "quote_ttl_seconds" | "deal_proposal_ttl_days" | "tier_discounts" | "global_floor_cpm" | "volume_discounts" | "negotiation";
    readonly variable: string;
  })[];
  readonly revision: number;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
  readonly changed: readonly ("seller_name" | "publisher_domain" | "approval_enabled" | "approval_flows" | "approval_above_value" | "approval_timeout_hours" | "quote_ttl_seconds" | "deal_proposal_ttl_days" | "tier_discounts" | "global_floor_cpm" | "volume_discounts" | "negotiation")[];
  readonly last_month: {
    readonly since: string;
    readonly until: string;
    readonly approvals: {
      readonly seen: number;
      readonly waited: number;
      readonly would_wait: number;
      readonly more: {
        readonly count: number;
        readonly value: number;
      };
      readonly fewer: {
        readonly count: number;
        readonly value: number;
      };
    };
    readonly quotes: {
      readonly seen: number;
      readonly changed: number;
      readonly value: number;
      readonly would_value: number;
    };
    readonly talks: {
      readonly seen: number;
      readonly changed: number;
      readonly average_last: number | null;
      readonly would_average_last: number | null;
      readonly agreed: number;
      readonly would_agree: number;
    };
  } | null;
}

/** Tells an operator which parts of the seller are set up and what is still missing. Changes nothing. Operators only. */
export type GetSetupStatusInput = Readonly<Record<string, unknown>>;

export interface GetSetupStatusOutput {
  readonly publisher_identity: {
    readonly configured: boolean;
    readonly name: string;
  };
  readonly ad_server: {
    readonly configured: boolean;
    readonly type: string;
  };
  readonly ssp_connectors: {
    readonly configured: boolean;
  };
  readonly media_kit: {
    readonly configured: boolean;
    readonly package_count: number;
  };
  readonly pricing: {
    readonly floor_cpm: number;
    readonly currency: string;
  };
  readonly approval_gates: {
    readonly enabled: boolean;
    readonly flows: readonly (string)[];
  };
  readonly setup_complete: boolean;
  readonly message: string;
}

/** Describes who sells: the organisation, its domain, that it sells directly, and the one node that it adds to an OpenRTB supply chain. Changes nothing. */
export type GetSupplyChainInput = Readonly<Record<string, unknown>>;

export interface GetSupplyChainOutput {
  readonly seller_id: string;
  readonly seller_name: string;
  readonly seller_type: string;
  readonly domain: string;
  readonly is_direct: boolean;
  readonly supported_deal_types: readonly (string)[];
  readonly schain: readonly ({
    readonly asi: string;
    readonly sid: string;
    readonly is_direct: boolean;
  })[];
  readonly version: string;
}

/** Tells an operator when the inventory was last imported, from where, and whether it is imported on a schedule. Times are ISO 8601 in UTC. Changes nothing. Operators only. */
export type GetSyncStatusInput = Readonly<Record<string, unknown>>;

export interface GetSyncStatusOutput {
  readonly enabled: boolean;
  readonly interval_minutes: number;
  readonly source: string;
  readonly last_sync: string | null;
  readonly watermark: string | null;
  readonly items_synced: number;
}

/** Tells whether the seller can do its work: healthy, or degraded where a part of it fails. Nothing outside is asked. Changes nothing. */
export type HealthCheckInput = Readonly<Record<string, unknown>>;

export interface HealthCheckOutput {
  readonly status: "healthy" | "degraded";
  readonly checks: {
    readonly storage: "ok" | "failed";
    readonly ad_server: "configured" | "not_configured";
    readonly ssp_connectors: "configured" | "not_configured";
  };
}

/** Says who you are to this agent: role, label, key id, access tier, when the key ends, and what the agent belongs to. Use it first to learn what you may do: a buyer's tier decides its prices. Changes nothing. */
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

/** Issues an API key for a buyer and shows its secret once. An operator's key carries the identity at once; any other key works at the public tier until an operator approves its identity. A buyer's key cannot ask for the identity of another agency. */
export interface CreateApiKeyInput {
  /** DSP seat of the buyer; alone it gives the seat tier. */
  readonly seat_id?: string | null | undefined;
  /** Name of the seat, for people. */
  readonly seat_name?: string | null | undefined;
  /** DSP that the seat is on. */
  readonly dsp_platform?: string | null | undefined;
  /** Agency of the buyer; it gives the agency tier. */
  readonly agency_id?: string | null | undefined;
  /** Name of the agency, for people. */
  readonly agency_name?: string | null | undefined;
  /** Holding company of the agency, for people. */
  readonly agency_holding_company?: string | null | undefined;
  /** Advertiser; beside an agency_id it gives the advertiser tier. */
  readonly advertiser_id?: string | null | undefined;
  /** Name of the advertiser, for people. */
  readonly advertiser_name?: string | null | undefined;
  /** A name for the key, for people. */
  readonly label?: string | null | undefined;
  /** Days until the key expires; left out or null: the seller's default. */
  readonly expires_in_days?: number | null | undefined;
  /** URL of the agent that will use the key; its trust caps it. */
  readonly agent_url?: string | null | undefined;
}

export interface CreateApiKeyOutput {
  readonly key_id: string | null;
  readonly api_key: string | null;
  readonly seat_id: string | null;
  readonly agency_id: string | null;
  readonly advertiser_id: string | null;
  readonly label: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly role: string;
  readonly verified: boolean;
  readonly approval_id: string | null;
  readonly warning: string;
  readonly identity: {
    readonly seat_id: string | null;
    readonly agency_id: string | null;
    readonly advertiser_id: string | null;
  };
}

/** Issues an operator key and shows its secret once. Operators only; a key with the role senior is issued by a senior. Two active operator keys cannot have the same label. */
export interface CreateOperatorKeyInput {
  /** A name for people. */
  readonly label?: string | undefined;
  /** edge is for an edge server: it lists active deals and reports deliveries. viewer reads only; senior may decide critical changes. */
  readonly role?: "edge" | "viewer" | "operator" | "senior" | undefined;
  /** Days until the key expires; left out or null: the seller's default. */
  readonly expires_in_days?: number | null | undefined;
}

export interface CreateOperatorKeyOutput {
  readonly key_id: string | null;
  readonly api_key: string | null;
  readonly seat_id: string | null;
  readonly agency_id: string | null;
  readonly advertiser_id: string | null;
  readonly label: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly role: string;
  readonly verified: boolean;
  readonly approval_id: string | null;
  readonly warning: string;
  readonly identity: {
    readonly seat_id: string | null;
    readonly agency_id: string | null;
    readonly advertiser_id: string | null;
  };
}

/** Returns a key's record without its secret. Operators see every key, a buyer its own alone. */
export interface GetApiKeyInput {
  /** Id of the key, not its secret. */
  readonly key_id: string;
}

export interface GetApiKeyOutput {
  readonly key_id: string;
  readonly seat_id: string | null;
  readonly agency_id: string | null;
  readonly advertiser_id: string | null;
  readonly label: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly is_active: boolean;
  readonly last_used_at: string | null;
  readonly use_count: number;
  readonly role: string;
  readonly verified: boolean;
  readonly revoked: boolean;
  readonly key_prefix_hint: string;
  readonly identity: {
    readonly seat_id: string | null;
    readonly agency_id: string | null;
    readonly advertiser_id: string | null;
  };
}

/** Lists all API keys in creation order, revoked ones included, a page at a time, without secrets. Operators only. */
export interface ListApiKeysInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
  /** Only this buyer's, for example agency:agency-2. */
  readonly buyer?: string | null | undefined;
}

export interface ListApiKeysOutput {
  readonly keys: readonly ({
    readonly key_id: string;
    readonly seat_id: string | null;
    readonly agency_id: string | null;
    readonly advertiser_id: string | null;
    readonly label: string | null;
    readonly created_at: string;
    readonly expires_at: string | null;
    readonly is_active: boolean;
    readonly last_used_at: string | null;
    readonly use_count: number;
    readonly role: string;
    readonly verified: boolean;
    readonly revoked: boolean;
    readonly key_prefix_hint: string;
    readonly identity: {
      readonly seat_id: string | null;
      readonly agency_id: string | null;
      readonly advertiser_id: string | null;
    };
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Revokes a key for good: its next use answers 401. Revoking twice is the same as once. Operators revoke every key, a buyer its own alone. */
export interface RevokeApiKeyInput {
  /** Id of the key, not its secret. */
  readonly key_id: string;
}

export interface RevokeApiKeyOutput {
  readonly key_id: string;
  readonly status: "revoked";
}

/** Returns one registered agent. Operators see every agent, a buyer the one that its key is bound to. */
export interface GetBuyerAgentInput {
  /** Id of the registered agent, for example agent-1a2b3c4d. */
  readonly agent_id: string;
}

export interface GetBuyerAgentOutput {
  readonly agent_id: string | null;
  readonly agent_card: {
    readonly name: string;
    readonly url: string;
    readonly description: string;
    readonly version: string;
  };
  readonly agent_type: string;
  readonly trust_status: string;
  readonly registry_sources: readonly ({
    readonly registry_id: string;
    readonly registry_name: string;
    readonly verified_at: string | null;
  })[];
}

/** Lists registered agents, newest first, a page at a time, narrowed by type and trust. Operators see all, a buyer the agent that its key is bound to, anybody else an empty page. */
export interface ListBuyerAgentsInput {
  /** Only agents of this type. */
  readonly agent_type?: "buyer" | "seller" | "tool_provider" | "data_provider" | "other" | null | undefined;
  /** Only agents of this trust. */
  readonly trust_status?: "unknown" | "registered" | "approved" | "preferred" | "blocked" | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface ListBuyerAgentsOutput {
  readonly agents: readonly ({
    readonly agent_id: string | null;
    readonly agent_card: {
      readonly name: string;
      readonly url: string;
      readonly description: string;
      readonly version: string;
    };
    readonly agent_type: string;
    readonly trust_status: string;
    readonly registry_sources: readonly ({
      readonly registry_id: string;
      readonly registry_name: string;
      readonly verified_at: string | null;
    })[];
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Discovers an agent: fetches its card from its well-known path, asks every configured registry and keeps the agent with the trust that follows (registered when a registry knows it, else unknown). A known agent is answered as it is stored. Operators only. A dry run fetches nothing. */
export interface RegisterBuyerAgentInput {
  /** Base URL of the agent, on a public address. */
  readonly agent_url: string;
}

export interface RegisterBuyerAgentOutput {
  readonly agent: {
    readonly agent_id: string | null;
    readonly agent_card: {
      readonly name: string;
      readonly url: string;
      readonly description: string;
      readonly version: string;
    };
    readonly agent_type: string;
    readonly trust_status: string;
    readonly registry_sources: readonly ({
      readonly registry_id: string;
      readonly registry_name: string;
      readonly verified_at: string | null;
    })[];
  };
  readonly max_access_tier: string | null;
  readonly is_blocked: boolean;
}

/** Removes an agent from the registry. Its next discovery starts anew: a blocked agent that is removed is unknown again. Operators only. */
export interface RemoveBuyerAgentInput {
  /** Id of the registered agent, for example agent-1a2b3c4d. */
  readonly agent_id: string;
}

export interface RemoveBuyerAgentOutput {
  readonly agent_id: string;
  readonly status: "removed";
}

/** Sets an agent's trust, which caps the tier of every request that it makes from the next one on; blocked agents get 403. One that is not registered is named by its agent_url, and nothing is fetched. Any status may follow any. A preferred agent can have custom prices, never above the list price and never below what the seller accepts; they end with that status. Notes and prices are kept where none are sent. Operators only. */
export interface SetAgentTrustInput {
  readonly agent_id?: string | null | undefined;
  /** In place of agent_id: base URL of the agent, registered or not. */
  readonly agent_url?: string | null | undefined;
  /** unknown, registered, approved, preferred or blocked. */
  readonly trust_status: "unknown" | "registered" | "approved" | "preferred" | "blocked";
  /** Why, for other operators. */
  readonly notes?: string | null | undefined;
  /** A preferred agent's own prices, in place of those it had; an empty list ends them. */
  readonly custom_prices?: readonly ({
    /** Left out: every product without a price of its own. */
    readonly product_id?: string | null | undefined;
    /** Per thousand, in the product's currency. */
    readonly cpm?: number | null | undefined;
    /** Percent off the price of the agent's tier. */
    readonly discount_pct?: number | null | undefined;
  })[] | null | undefined;
}

export interface SetAgentTrustOutput {
  readonly agent_id: string;
  readonly trust_status: string;
  readonly max_access_tier: string | null;
  readonly notes: string | null;
  readonly custom_prices: readonly ({
    readonly product_id: string | null;
    readonly cpm?: number | undefined;
    readonly discount_pct?: number | undefined;
  })[];
}

/** Returns one event. Operators only. Events are kept for a time that the seller's configuration says. */
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
  readonly proposal_id: string;
  readonly product_name?: string | null | undefined;
  readonly buyer_name?: string | null | undefined;
}

/** Lists events, newest first unless reversed, a page at a time. The filters combine: an event must meet all that are given. Operators only. */
export interface ListEventsInput {
  /** Only events of this flow: the id of a quote, a deal's quote, a key, a session, … */
  readonly flow_id?: string | null | undefined;
  /** Only events of this type. */
  readonly event_type?: "proposal.received" | "proposal.evaluated" | "proposal.accepted" | "proposal.rejected" | "proposal.countered" | "deal.created" | "deal.registered" | "deal.synced" | "execution.completed" | "approval.requested" | "approval.granted" | "approval.denied" | "approval.timed_out" | "session.created" | "session.resumed" | "session.closed" | "package.created" | "package.updated" | "package.synced" | "negotiation.started" | "negotiation.round" | "negotiation.concluded" | "quote.created" | "quote.booked" | "quote.expired" | "quote.declined" | "deal.activated" | "deal.changed" | "deal.completed" | "deal.expired" | "deal.rejected" | "order.created" | "order.transitioned" | "change_request.created" | "change_request.approved" | "change_request.rejected" | "change_request.withdrawn" | "change_request.applied" | "change_request.failed" | "api_key.created" | "api_key.verified" | "api_key.revoked" | "agent.discovered" | "agent.trust_changed" | "agent.removed" | "package.archived" | "product.updated" | "handover.requested" | "handover.answered" | "media_buy.submitted" | "media_buy.created" | "media_buy.rejected" | "media_buy.changed" | "media_buy.canceled" | "media_buy.rated" | "creative.changed" | null | undefined;
  /** Only events of this session. */
  readonly session_id?: string | null | undefined;
  /** Only events of this deal, from its quote and price talk on; takes no other filter. */
  readonly deal_id?: string | null | undefined;
  /** Only of this buyer's records, for example agency:agency-2. */
  readonly owner?: string | null | undefined;
  /** At or after: a day (YYYY-MM-DD, UTC) or an instant. */
  readonly since?: string | null | undefined;
  /** At or before: a day (UTC) or an instant. */
  readonly until?: string | null | undefined;
  /** The other way round: the oldest first. */
  readonly reversed?: boolean | null | undefined;
  /** Count all kept events by type too, whatever else is asked for. */
  readonly with_counts?: boolean | null | undefined;
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
    readonly proposal_id: string;
    readonly product_name?: string | null | undefined;
    readonly buyer_name?: string | null | undefined;
  })[];
  readonly total: number | null;
  readonly count: number;
  readonly next_cursor: string | null;
  readonly counts?: Readonly<Record<string, number>> | undefined;
}

/** Shuts an agent out by its URL, known or not, without asking it for anything: every request that names it, or whose key is bound to it, is 403 from the next one on. Undo with set_agent_trust. Operators only. */
export interface BlockAgentInput {
  /** Base URL of the agent. */
  readonly agent_url: string;
  /** Why, for other operators. */
  readonly notes?: string | null | undefined;
}

export interface BlockAgentOutput {
  readonly agent_id: string;
  readonly agent_url: string;
  readonly trust_status: "blocked";
  readonly is_blocked: true;
  readonly was_known: boolean;
  readonly notes: string | null;
}

/** The states of a record and the moves between them, read from the machine that runs it: use it to learn what can follow a status. Changes nothing. */
export interface DescribeMachineInput {
  /** Which record. */
  readonly kind: "deal" | "order" | "quote" | "negotiation" | "proposal" | "approval" | "change_request" | "booking";
}

export interface DescribeMachineOutput {
  readonly kind: string;
  readonly initial: string;
  readonly states: readonly ({
    readonly name: string;
    readonly meaning: string;
    readonly final: boolean;
  })[];
  readonly moves: readonly ({
    readonly from: string;
    readonly to: string;
    readonly event: string;
    readonly who: "buyer" | "seller" | "either" | "agents" | "time";
  })[];
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

/** Counts the calls that were refused, by code, operation or buyer, most first: use it to see what buyers run into. Days are UTC. Of several processes on one database, the last minute of the others is missing. Operators only; changes nothing. */
export interface ListRefusalsInput {
  /** First day, YYYY-MM-DD, at most 90 days ago; 6 days ago when left out. */
  readonly since?: string | null | undefined;
  /** What to count by. */
  readonly by?: "code" | "operation" | "buyer" | undefined;
}

export interface ListRefusalsOutput {
  readonly since: string;
  readonly until: string;
  readonly by: "code" | "operation" | "buyer";
  readonly total: number;
  readonly refusals: readonly ({
    readonly name: string;
    readonly count: number;
    readonly meaning?: string | undefined;
  })[];
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

/** Finds records by an id, whole or in part, by a buyer's name or a product's: approvals, deals, quotes, price talks, orders, changes, media buys, products, packages, buyers and webhooks. A whole id finds that record alone. Parts are looked for among the newest 500 of each kind; list_deals, list_buyers and their kin look further. Operators only; changes nothing. */
export interface SearchRecordsInput {
  /** The id or the name, or a part of it. */
  readonly q: string;
  /** How many of each kind. */
  readonly each?: number | undefined;
}

export interface SearchRecordsOutput {
  readonly records: readonly ({
    readonly kind: "approval" | "deal" | "quote" | "negotiation" | "order" | "change_request" | "media_buy" | "product" | "package" | "buyer" | "webhook";
    readonly id: string;
    readonly name: string | null;
    readonly buyer: string | null;
    readonly buyer_name: string | null;
    readonly status: string | null;
    readonly is_exact: boolean;
  })[];
  readonly count: number;
}

/** Subscribes an address to events and shows the signing secret once. Operators are told of every event, a buyer of those of its own records. Deliveries follow Standard Webhooks: headers webhook-id, webhook-timestamp and webhook-signature (HMAC-SHA-256), at least once, tried again for three days. They end with the key that made the subscription. */
export interface CreateWebhookInput {
  /** Where deliveries are posted; a public address. */
  readonly url: string;
  /** Types of events to be told of. */
  readonly event_types: readonly ("proposal.received" | "proposal.evaluated" | "proposal.accepted" | "proposal.rejected" | "proposal.countered" | "deal.created" | "deal.registered" | "deal.synced" | "execution.completed" | "approval.requested" | "approval.granted" | "approval.denied" | "approval.timed_out" | "session.created" | "session.resumed" | "session.closed" | "package.created" | "package.updated" | "package.synced" | "negotiation.started" | "negotiation.round" | "negotiation.concluded" | "quote.created" | "quote.booked" | "quote.expired" | "quote.declined" | "deal.activated" | "deal.changed" | "deal.completed" | "deal.expired" | "deal.rejected" | "order.created" | "order.transitioned" | "change_request.created" | "change_request.approved" | "change_request.rejected" | "change_request.withdrawn" | "change_request.applied" | "change_request.failed" | "api_key.created" | "api_key.verified" | "api_key.revoked" | "agent.discovered" | "agent.trust_changed" | "agent.removed" | "package.archived" | "product.updated" | "handover.requested" | "handover.answered" | "media_buy.submitted" | "media_buy.created" | "media_buy.rejected" | "media_buy.changed" | "media_buy.canceled" | "media_buy.rated" | "creative.changed")[];
  /** What is posted in place of the event, for a chat or a mail gateway; operators only. Its texts may hold {{text}}, {{link}}, {{event_type}}, {{event_id}}, {{timestamp}}, {{buyer}}, {{product}}, {{seller}}. For example {"text": "{{text}} {{link}}"}. */
  readonly template?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface CreateWebhookOutput {
  readonly webhook_id: string | null;
  readonly url: string;
  readonly event_types: readonly (string)[];
  readonly created_at: string;
  readonly template?: Readonly<Record<string, unknown>> | null | undefined;
  readonly secret: string | null;
}

/** Removes a webhook. Deliveries that are still pending are dropped. */
export interface DeleteWebhookInput {
  /** Id from create_webhook. */
  readonly webhook_id: string;
}

export interface DeleteWebhookOutput {
  readonly webhook_id: string;
  readonly status: "deleted";
}

/** Returns one webhook without its secret. */
export interface GetWebhookInput {
  /** Id from create_webhook. */
  readonly webhook_id: string;
}

export interface GetWebhookOutput {
  readonly webhook_id: string | null;
  readonly url: string;
  readonly event_types: readonly (string)[];
  readonly created_at: string;
  readonly template?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Lists a webhook's deliveries, newest first; status dead shows the dead letters. They are kept for 30 days. */
export interface ListWebhookDeliveriesInput {
  /** Id from create_webhook. */
  readonly webhook_id: string;
  /** Only deliveries of this status. */
  readonly status?: "pending" | "delivered" | "dead" | null | undefined;
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface ListWebhookDeliveriesOutput {
  readonly deliveries: readonly ({
    readonly delivery_id: string;
    readonly event_id: string;
    readonly event_type: string;
    readonly created_at: string;
    readonly status: "pending" | "delivered" | "dead";
    readonly attempts: number;
    readonly next_attempt_at: string | null;
    readonly last_status: number | null;
    readonly last_error: string | null;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Lists webhooks in order of creation, newest first, without secrets. Operators see all, a buyer its own. */
export interface ListWebhooksInput {
  /** How many on a page, 1 to 500. */
  readonly limit?: number | undefined;
  /** How many to leave out from the start. */
  readonly offset?: number | undefined;
  /** The next_cursor of the page before; counts before offset. */
  readonly cursor?: string | null | undefined;
}

export interface ListWebhooksOutput {
  readonly webhooks: readonly ({
    readonly webhook_id: string | null;
    readonly url: string;
    readonly event_types: readonly (string)[];
    readonly created_at: string;
    readonly template?: Readonly<Record<string, unknown>> | null | undefined;
  })[];
  readonly total: number;
  readonly count: number;
  readonly next_cursor: string | null;
}

/** Sends a delivery again, whatever became of it, with the same webhook-id and a fresh schedule of attempts. */
export interface ReplayWebhookDeliveryInput {
  /** Id from create_webhook. */
  readonly webhook_id: string;
  readonly delivery_id: string;
}

export interface ReplayWebhookDeliveryOutput {
  readonly delivery_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly created_at: string;
  readonly status: "pending" | "delivered" | "dead";
  readonly attempts: number;
  readonly next_attempt_at: string | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
}

export type SellerOperationTypes = {
  readonly get_product: { readonly input: GetProductInput; readonly output: GetProductOutput };
  readonly list_products: { readonly input: ListProductsInput; readonly output: ListProductsOutput };
  readonly check_avails: { readonly input: CheckAvailsInput; readonly output: CheckAvailsOutput };
  readonly get_availability: { readonly input: GetAvailabilityInput; readonly output: GetAvailabilityOutput };
  readonly discover_inventory: { readonly input: DiscoverInventoryInput; readonly output: DiscoverInventoryOutput };
  readonly decline_quote: { readonly input: DeclineQuoteInput; readonly output: DeclineQuoteOutput };
  readonly get_pricing: { readonly input: GetPricingInput; readonly output: GetPricingOutput };
  readonly get_quote: { readonly input: GetQuoteInput; readonly output: GetQuoteOutput };
  readonly request_quote: { readonly input: RequestQuoteInput; readonly output: RequestQuoteOutput };
  readonly draft_plan: { readonly input: DraftPlanInput; readonly output: DraftPlanOutput };
  readonly find_offers: { readonly input: FindOffersInput; readonly output: FindOffersOutput };
  readonly refine_plan: { readonly input: RefinePlanInput; readonly output: RefinePlanOutput };
  readonly get_proposal: { readonly input: GetProposalInput; readonly output: GetProposalOutput };
  readonly submit_proposal: { readonly input: SubmitProposalInput; readonly output: SubmitProposalOutput };
  readonly counter_proposal: { readonly input: CounterProposalInput; readonly output: CounterProposalOutput };
  readonly get_negotiation: { readonly input: GetNegotiationInput; readonly output: GetNegotiationOutput };
  readonly get_negotiation_status: { readonly input: GetNegotiationStatusInput; readonly output: GetNegotiationStatusOutput };
  readonly negotiate: { readonly input: NegotiateInput; readonly output: NegotiateOutput };
  readonly close_session: { readonly input: CloseSessionInput; readonly output: CloseSessionOutput };
  readonly create_session: { readonly input: CreateSessionInput; readonly output: CreateSessionOutput };
  readonly get_session: { readonly input: GetSessionInput; readonly output: GetSessionOutput };
  readonly list_sessions: { readonly input: ListSessionsInput; readonly output: ListSessionsOutput };
  readonly send_session_message: { readonly input: SendSessionMessageInput; readonly output: SendSessionMessageOutput };
  readonly answer_handover: { readonly input: AnswerHandoverInput; readonly output: AnswerHandoverOutput };
  readonly list_handovers: { readonly input: ListHandoversInput; readonly output: ListHandoversOutput };
  readonly request_handover: { readonly input: RequestHandoverInput; readonly output: RequestHandoverOutput };
  readonly get_conversation: { readonly input: GetConversationInput; readonly output: GetConversationOutput };
  readonly list_conversations: { readonly input: ListConversationsInput; readonly output: ListConversationsOutput };
  readonly book_deal: { readonly input: BookDealInput; readonly output: BookDealOutput };
  readonly generate_deal: { readonly input: GenerateDealInput; readonly output: GenerateDealOutput };
  readonly get_deal: { readonly input: GetDealInput; readonly output: GetDealOutput };
  readonly transition_deal: { readonly input: TransitionDealInput; readonly output: TransitionDealOutput };
  readonly list_approvals: { readonly input: ListApprovalsInput; readonly output: ListApprovalsOutput };
  readonly list_deals: { readonly input: ListDealsInput; readonly output: ListDealsOutput };
  readonly list_negotiations: { readonly input: ListNegotiationsInput; readonly output: ListNegotiationsOutput };
  readonly list_proposals: { readonly input: ListProposalsInput; readonly output: ListProposalsOutput };
  readonly list_quotes: { readonly input: ListQuotesInput; readonly output: ListQuotesOutput };
  readonly get_delivery: { readonly input: GetDeliveryInput; readonly output: GetDeliveryOutput };
  readonly report_delivery: { readonly input: ReportDeliveryInput; readonly output: ReportDeliveryOutput };
  readonly cancel_deal: { readonly input: CancelDealInput; readonly output: CancelDealOutput };
  readonly change_deal: { readonly input: ChangeDealInput; readonly output: ChangeDealOutput };
  readonly reschedule_deal: { readonly input: RescheduleDealInput; readonly output: RescheduleDealOutput };
  readonly withdraw_proposal: { readonly input: WithdrawProposalInput; readonly output: WithdrawProposalOutput };
  readonly create_order: { readonly input: CreateOrderInput; readonly output: CreateOrderOutput };
  readonly get_order: { readonly input: GetOrderInput; readonly output: GetOrderOutput };
  readonly get_order_audit: { readonly input: GetOrderAuditInput; readonly output: GetOrderAuditOutput };
  readonly get_order_history: { readonly input: GetOrderHistoryInput; readonly output: GetOrderHistoryOutput };
  readonly get_order_report: { readonly input: GetOrderReportInput; readonly output: GetOrderReportOutput };
  readonly list_orders: { readonly input: ListOrdersInput; readonly output: ListOrdersOutput };
  readonly transition_order: { readonly input: TransitionOrderInput; readonly output: TransitionOrderOutput };
  readonly book_media_buy: { readonly input: BookMediaBuyInput; readonly output: BookMediaBuyOutput };
  readonly change_media_buy: { readonly input: ChangeMediaBuyInput; readonly output: ChangeMediaBuyOutput };
  readonly get_media_buy: { readonly input: GetMediaBuyInput; readonly output: GetMediaBuyOutput };
  readonly get_media_buy_task: { readonly input: GetMediaBuyTaskInput; readonly output: GetMediaBuyTaskOutput };
  readonly list_media_buys: { readonly input: ListMediaBuysInput; readonly output: ListMediaBuysOutput };
  readonly rate_media_buy: { readonly input: RateMediaBuyInput; readonly output: RateMediaBuyOutput };
  readonly report_media_buys: { readonly input: ReportMediaBuysInput; readonly output: ReportMediaBuysOutput };
  readonly list_accounts: { readonly input: ListAccountsInput; readonly output: ListAccountsOutput };
  readonly sync_accounts: { readonly input: SyncAccountsInput; readonly output: SyncAccountsOutput };
  readonly list_creative_formats: { readonly input: ListCreativeFormatsInput; readonly output: ListCreativeFormatsOutput };
  readonly list_creatives: { readonly input: ListCreativesInput; readonly output: ListCreativesOutput };
  readonly review_creative: { readonly input: ReviewCreativeInput; readonly output: ReviewCreativeOutput };
  readonly sync_creatives: { readonly input: SyncCreativesInput; readonly output: SyncCreativesOutput };
  readonly apply_change_request: { readonly input: ApplyChangeRequestInput; readonly output: ApplyChangeRequestOutput };
  readonly create_change_request: { readonly input: CreateChangeRequestInput; readonly output: CreateChangeRequestOutput };
  readonly get_change_request: { readonly input: GetChangeRequestInput; readonly output: GetChangeRequestOutput };
  readonly list_change_requests: { readonly input: ListChangeRequestsInput; readonly output: ListChangeRequestsOutput };
  readonly review_change_request: { readonly input: ReviewChangeRequestInput; readonly output: ReviewChangeRequestOutput };
  readonly withdraw_change_request: { readonly input: WithdrawChangeRequestInput; readonly output: WithdrawChangeRequestOutput };
  readonly approve_or_reject: { readonly input: ApproveOrRejectInput; readonly output: ApproveOrRejectOutput };
  readonly get_approval: { readonly input: GetApprovalInput; readonly output: GetApprovalOutput };
  readonly list_pending_approvals: { readonly input: ListPendingApprovalsInput; readonly output: ListPendingApprovalsOutput };
  readonly resume_approval: { readonly input: ResumeApprovalInput; readonly output: ResumeApprovalOutput };
  readonly get_activity: { readonly input: GetActivityInput; readonly output: GetActivityOutput };
  readonly get_approval_brief: { readonly input: GetApprovalBriefInput; readonly output: GetApprovalBriefOutput };
  readonly get_capacity_report: { readonly input: GetCapacityReportInput; readonly output: GetCapacityReportOutput };
  readonly get_desk_status: { readonly input: GetDeskStatusInput; readonly output: GetDeskStatusOutput };
  readonly get_buyer: { readonly input: GetBuyerInput; readonly output: GetBuyerOutput };
  readonly list_buyers: { readonly input: ListBuyersInput; readonly output: ListBuyersOutput };
  readonly get_media_kit: { readonly input: GetMediaKitInput; readonly output: GetMediaKitOutput };
  readonly get_media_kit_package: { readonly input: GetMediaKitPackageInput; readonly output: GetMediaKitPackageOutput };
  readonly list_media_kit_packages: { readonly input: ListMediaKitPackagesInput; readonly output: ListMediaKitPackagesOutput };
  readonly search_media_kit: { readonly input: SearchMediaKitInput; readonly output: SearchMediaKitOutput };
  readonly archive_package: { readonly input: ArchivePackageInput; readonly output: ArchivePackageOutput };
  readonly assemble_package: { readonly input: AssemblePackageInput; readonly output: AssemblePackageOutput };
  readonly create_package: { readonly input: CreatePackageInput; readonly output: CreatePackageOutput };
  readonly get_package: { readonly input: GetPackageInput; readonly output: GetPackageOutput };
  readonly list_packages: { readonly input: ListPackagesInput; readonly output: ListPackagesOutput };
  readonly sync_packages: { readonly input: SyncPackagesInput; readonly output: SyncPackagesOutput };
  readonly update_package: { readonly input: UpdatePackageInput; readonly output: UpdatePackageOutput };
  readonly update_product: { readonly input: UpdateProductInput; readonly output: UpdateProductOutput };
  readonly get_rate_card: { readonly input: GetRateCardInput; readonly output: GetRateCardOutput };
  readonly update_rate_card: { readonly input: UpdateRateCardInput; readonly output: UpdateRateCardOutput };
  readonly get_selling_rules: { readonly input: GetSellingRulesInput; readonly output: GetSellingRulesOutput };
  readonly update_selling_rules: { readonly input: UpdateSellingRulesInput; readonly output: UpdateSellingRulesOutput };
  readonly get_setup_status: { readonly input: GetSetupStatusInput; readonly output: GetSetupStatusOutput };
  readonly get_supply_chain: { readonly input: GetSupplyChainInput; readonly output: GetSupplyChainOutput };
  readonly get_sync_status: { readonly input: GetSyncStatusInput; readonly output: GetSyncStatusOutput };
  readonly health_check: { readonly input: HealthCheckInput; readonly output: HealthCheckOutput };
  readonly get_caller: { readonly input: GetCallerInput; readonly output: GetCallerOutput };
  readonly create_api_key: { readonly input: CreateApiKeyInput; readonly output: CreateApiKeyOutput };
  readonly create_operator_key: { readonly input: CreateOperatorKeyInput; readonly output: CreateOperatorKeyOutput };
  readonly get_api_key: { readonly input: GetApiKeyInput; readonly output: GetApiKeyOutput };
  readonly list_api_keys: { readonly input: ListApiKeysInput; readonly output: ListApiKeysOutput };
  readonly revoke_api_key: { readonly input: RevokeApiKeyInput; readonly output: RevokeApiKeyOutput };
  readonly get_buyer_agent: { readonly input: GetBuyerAgentInput; readonly output: GetBuyerAgentOutput };
  readonly list_buyer_agents: { readonly input: ListBuyerAgentsInput; readonly output: ListBuyerAgentsOutput };
  readonly register_buyer_agent: { readonly input: RegisterBuyerAgentInput; readonly output: RegisterBuyerAgentOutput };
  readonly remove_buyer_agent: { readonly input: RemoveBuyerAgentInput; readonly output: RemoveBuyerAgentOutput };
  readonly set_agent_trust: { readonly input: SetAgentTrustInput; readonly output: SetAgentTrustOutput };
  readonly get_event: { readonly input: GetEventInput; readonly output: GetEventOutput };
  readonly list_events: { readonly input: ListEventsInput; readonly output: ListEventsOutput };
  readonly block_agent: { readonly input: BlockAgentInput; readonly output: BlockAgentOutput };
  readonly describe_machine: { readonly input: DescribeMachineInput; readonly output: DescribeMachineOutput };
  readonly list_audit: { readonly input: ListAuditInput; readonly output: ListAuditOutput };
  readonly list_refusals: { readonly input: ListRefusalsInput; readonly output: ListRefusalsOutput };
  readonly verify_audit: { readonly input: VerifyAuditInput; readonly output: VerifyAuditOutput };
  readonly search_records: { readonly input: SearchRecordsInput; readonly output: SearchRecordsOutput };
  readonly create_webhook: { readonly input: CreateWebhookInput; readonly output: CreateWebhookOutput };
  readonly delete_webhook: { readonly input: DeleteWebhookInput; readonly output: DeleteWebhookOutput };
  readonly get_webhook: { readonly input: GetWebhookInput; readonly output: GetWebhookOutput };
  readonly list_webhook_deliveries: { readonly input: ListWebhookDeliveriesInput; readonly output: ListWebhookDeliveriesOutput };
  readonly list_webhooks: { readonly input: ListWebhooksInput; readonly output: ListWebhooksOutput };
  readonly replay_webhook_delivery: { readonly input: ReplayWebhookDeliveryInput; readonly output: ReplayWebhookDeliveryOutput };
};

export const sellerRoutes = {
  get_product: { method: "GET", path: "/products/:product_id", writes: false },
  list_products: { method: "GET", path: "/products", writes: false, rows: "products" },
  check_avails: { method: "POST", path: "/products/avails", writes: false },
  get_availability: { method: "GET", path: "/api/v1/availability", writes: false },
  discover_inventory: { method: "POST", path: "/discovery", writes: false, rows: "catalog" },
  decline_quote: { method: "POST", path: "/api/v1/quotes/:quote_id/decline", writes: true },
  get_pricing: { method: "POST", path: "/pricing", writes: false },
  get_quote: { method: "GET", path: "/api/v1/quotes/:quote_id", writes: false },
  request_quote: { method: "POST", path: "/api/v1/quotes", writes: true },
  draft_plan: { method: "POST", path: "/api/v1/plans", writes: true, rows: "offers" },
  find_offers: { method: "POST", path: "/api/v1/offers/search", writes: false, rows: "offers" },
  refine_plan: { method: "POST", path: "/api/v1/plans/refine", writes: true, rows: "offers" },
  get_proposal: { method: "GET", path: "/proposals/:proposal_id", writes: false },
  submit_proposal: { method: "POST", path: "/proposals", writes: true },
  counter_proposal: { method: "POST", path: "/proposals/:proposal_id/counter", writes: true },
  get_negotiation: { method: "GET", path: "/proposals/:proposal_id/negotiation", writes: false },
  get_negotiation_status: { method: "GET", path: "/api/v1/negotiations/:negotiation_id", writes: false },
  negotiate: { method: "POST", path: "/api/v1/negotiations/messages", writes: true },
  close_session: { method: "POST", path: "/sessions/:session_id/close", writes: true },
  create_session: { method: "POST", path: "/sessions", writes: true },
  get_session: { method: "GET", path: "/sessions/:session_id", writes: false },
  list_sessions: { method: "GET", path: "/sessions", writes: false, rows: "sessions" },
  send_session_message: { method: "POST", path: "/sessions/:session_id/messages", writes: true },
  answer_handover: { method: "POST", path: "/api/v1/handovers/:handover_id/answer", writes: true },
  list_handovers: { method: "GET", path: "/api/v1/handovers", writes: false, rows: "handovers" },
  request_handover: { method: "POST", path: "/api/v1/handovers", writes: true },
  get_conversation: { method: "GET", path: "/api/v1/conversations/:conversation_id", writes: false, rows: "exchanges" },
  list_conversations: { method: "GET", path: "/api/v1/conversations", writes: false, rows: "conversations" },
  book_deal: { method: "POST", path: "/api/v1/deals", writes: true },
  generate_deal: { method: "POST", path: "/deals", writes: true },
  get_deal: { method: "GET", path: "/api/v1/deals/:deal_id", writes: false },
  transition_deal: { method: "POST", path: "/api/v1/deals/:deal_id/transition", writes: true },
  list_approvals: { method: "GET", path: "/api/v1/approvals", writes: false, rows: "approvals" },
  list_deals: { method: "GET", path: "/api/v1/deals", writes: false, rows: "deals" },
  list_negotiations: { method: "GET", path: "/api/v1/negotiations", writes: false, rows: "negotiations" },
  list_proposals: { method: "GET", path: "/proposals", writes: false, rows: "proposals" },
  list_quotes: { method: "GET", path: "/api/v1/quotes", writes: false, rows: "quotes" },
  get_delivery: { method: "GET", path: "/api/v1/deals/:deal_id/delivery", writes: false },
  report_delivery: { method: "POST", path: "/api/v1/deliveries", writes: true },
  cancel_deal: { method: "POST", path: "/api/v1/deals/:deal_id/cancel", writes: true },
  change_deal: { method: "POST", path: "/api/v1/deals/:deal_id/change", writes: true },
  reschedule_deal: { method: "POST", path: "/api/v1/deals/:deal_id/reschedule", writes: true },
  withdraw_proposal: { method: "POST", path: "/proposals/:proposal_id/withdraw", writes: true },
  create_order: { method: "POST", path: "/api/v1/orders", writes: true },
  get_order: { method: "GET", path: "/api/v1/orders/:order_id", writes: false },
  get_order_audit: { method: "GET", path: "/api/v1/orders/:order_id/audit", writes: false },
  get_order_history: { method: "GET", path: "/api/v1/orders/:order_id/history", writes: false },
  get_order_report: { method: "GET", path: "/api/v1/orders/report", writes: false },
  list_orders: { method: "GET", path: "/api/v1/orders", writes: false, rows: "orders" },
  transition_order: { method: "POST", path: "/api/v1/orders/:order_id/transition", writes: true },
  book_media_buy: { method: "POST", path: "/api/v1/media-buys", writes: true },
  change_media_buy: { method: "POST", path: "/api/v1/media-buys/:media_buy_id/change", writes: true },
  get_media_buy: { method: "GET", path: "/api/v1/media-buys/:media_buy_id", writes: false },
  get_media_buy_task: { method: "GET", path: "/api/v1/media-buys/tasks/:task_id", writes: false },
  list_media_buys: { method: "POST", path: "/api/v1/media-buys/search", writes: false, rows: "media_buys" },
  rate_media_buy: { method: "POST", path: "/api/v1/media-buys/:media_buy_id/performance", writes: true },
  report_media_buys: { method: "POST", path: "/api/v1/media-buys/report", writes: false, rows: "media_buys" },
  list_accounts: { method: "GET", path: "/api/v1/accounts", writes: false, rows: "accounts" },
  sync_accounts: { method: "POST", path: "/api/v1/accounts/sync", writes: true },
  list_creative_formats: { method: "POST", path: "/api/v1/creative-formats/search", writes: false, rows: "formats" },
  list_creatives: { method: "POST", path: "/api/v1/creatives/search", writes: false, rows: "creatives" },
  review_creative: { method: "POST", path: "/api/v1/creatives/review", writes: true },
  sync_creatives: { method: "POST", path: "/api/v1/creatives/sync", writes: true },
  apply_change_request: { method: "POST", path: "/api/v1/change-requests/:cr_id/apply", writes: true },
  create_change_request: { method: "POST", path: "/api/v1/change-requests", writes: true },
  get_change_request: { method: "GET", path: "/api/v1/change-requests/:cr_id", writes: false },
  list_change_requests: { method: "GET", path: "/api/v1/change-requests", writes: false, rows: "change_requests" },
  review_change_request: { method: "POST", path: "/api/v1/change-requests/:cr_id/review", writes: true },
  withdraw_change_request: { method: "POST", path: "/api/v1/change-requests/:cr_id/withdraw", writes: true },
  approve_or_reject: { method: "POST", path: "/approvals/:approval_id/decide", writes: true },
  get_approval: { method: "GET", path: "/approvals/:approval_id", writes: false },
  list_pending_approvals: { method: "GET", path: "/approvals", writes: false, rows: "approvals" },
  resume_approval: { method: "POST", path: "/approvals/:approval_id/resume", writes: true },
  get_activity: { method: "GET", path: "/api/v1/activity", writes: false },
  get_approval_brief: { method: "GET", path: "/api/v1/approvals/:approval_id/brief", writes: false },
  get_capacity_report: { method: "GET", path: "/api/v1/capacity", writes: false },
  get_desk_status: { method: "GET", path: "/api/v1/desk", writes: false },
  get_buyer: { method: "GET", path: "/api/v1/buyers/:owner", writes: false },
  list_buyers: { method: "GET", path: "/api/v1/buyers", writes: false, rows: "buyers" },
  get_media_kit: { method: "GET", path: "/media-kit", writes: false, rows: "featured" },
  get_media_kit_package: { method: "GET", path: "/media-kit/packages/:package_id", writes: false },
  list_media_kit_packages: { method: "GET", path: "/media-kit/packages", writes: false, rows: "packages" },
  search_media_kit: { method: "POST", path: "/media-kit/search", writes: false, rows: "results" },
  archive_package: { method: "DELETE", path: "/packages/:package_id", writes: true },
  assemble_package: { method: "POST", path: "/packages/assemble", writes: true },
  create_package: { method: "POST", path: "/packages", writes: true },
  get_package: { method: "GET", path: "/packages/:package_id", writes: false },
  list_packages: { method: "GET", path: "/packages", writes: false, rows: "packages" },
  sync_packages: { method: "POST", path: "/packages/sync", writes: true },
  update_package: { method: "PUT", path: "/packages/:package_id", writes: true },
  update_product: { method: "PUT", path: "/products/:product_id", writes: true },
  get_rate_card: { method: "GET", path: "/api/v1/rate-card", writes: false },
  update_rate_card: { method: "PUT", path: "/api/v1/rate-card", writes: true },
  get_selling_rules: { method: "GET", path: "/api/v1/selling-rules", writes: false },
  update_selling_rules: { method: "PUT", path: "/api/v1/selling-rules", writes: true },
  get_setup_status: { method: "GET", path: "/api/v1/setup/status", writes: false },
  get_supply_chain: { method: "GET", path: "/api/v1/supply-chain", writes: false },
  get_sync_status: { method: "GET", path: "/api/v1/inventory-sync/status", writes: false },
  health_check: { method: "GET", path: "/health/detailed", writes: false },
  get_caller: { method: "GET", path: "/api/v1/caller", writes: false },
  create_api_key: { method: "POST", path: "/auth/api-keys", writes: true },
  create_operator_key: { method: "POST", path: "/auth/api-keys/operator", writes: true },
  get_api_key: { method: "GET", path: "/auth/api-keys/:key_id", writes: false },
  list_api_keys: { method: "GET", path: "/auth/api-keys", writes: false, rows: "keys" },
  revoke_api_key: { method: "DELETE", path: "/auth/api-keys/:key_id", writes: true },
  get_buyer_agent: { method: "GET", path: "/registry/agents/:agent_id", writes: false },
  list_buyer_agents: { method: "GET", path: "/registry/agents", writes: false, rows: "agents" },
  register_buyer_agent: { method: "POST", path: "/registry/agents/discover", writes: true },
  remove_buyer_agent: { method: "DELETE", path: "/registry/agents/:agent_id", writes: true },
  set_agent_trust: { method: "PUT", path: "/registry/agents/:agent_id/trust", writes: true },
  get_event: { method: "GET", path: "/events/:event_id", writes: false },
  list_events: { method: "GET", path: "/events", writes: false, rows: "events" },
  block_agent: { method: "POST", path: "/registry/agents/block", writes: true },
  describe_machine: { method: "GET", path: "/api/v1/machines/:kind", writes: false },
  list_audit: { method: "GET", path: "/api/v1/audit", writes: false, rows: "records" },
  list_refusals: { method: "GET", path: "/api/v1/refusals", writes: false },
  verify_audit: { method: "GET", path: "/api/v1/audit/verification", writes: false },
  search_records: { method: "GET", path: "/api/v1/search", writes: false },
  create_webhook: { method: "POST", path: "/api/v1/webhooks", writes: true },
  delete_webhook: { method: "DELETE", path: "/api/v1/webhooks/:webhook_id", writes: true },
  get_webhook: { method: "GET", path: "/api/v1/webhooks/:webhook_id", writes: false },
  list_webhook_deliveries: { method: "GET", path: "/api/v1/webhooks/:webhook_id/deliveries", writes: false, rows: "deliveries" },
  list_webhooks: { method: "GET", path: "/api/v1/webhooks", writes: false, rows: "webhooks" },
  replay_webhook_delivery: { method: "POST", path: "/api/v1/webhooks/:webhook_id/deliveries/:delivery_id/replay", writes: true },
} as const;
