import type { AgentName } from "../../host/store-location.ts";

/** `left`: the time until then. Without a form the member's name and value decide. */
export interface TableColumn {
  readonly title: string;
  /** Of a row, members by dots; several are joined by "to". */
  readonly paths: readonly string[];
  readonly form?: "left";
}

/** The operations that one command reads; flags and checks come from their contracts. */
export interface ListReader {
  readonly list: string;
  /** Takes the id of a row alone. */
  readonly get: string;
  readonly id: string;
  readonly columns: readonly TableColumn[];
  /** Nobody owns the records: a stranger may read them too. */
  readonly isPublic?: true;
  /** Filters where the command line names none. */
  readonly unasked?: Readonly<Record<string, unknown>>;
}

export interface ListCommand {
  readonly about: string;
  readonly of: Readonly<Partial<Record<AgentName, ListReader>>>;
}

const column = (title: string, ...paths: readonly string[]): TableColumn => ({ title, paths });

const left = (path: string): TableColumn => ({ title: "left", paths: [path], form: "left" });

const buyer = column("buyer", "buyer_name");

export const listCommands: Readonly<Record<string, ListCommand>> = {
  approvals: {
    about: "what waits for an operator's decision; with a number or an id one of them, and its decision",
    of: {
      seller: {
        list: "list_approvals",
        get: "get_approval_brief",
        id: "approval_id",
        columns: [
          column("kind", "flow_type"),
          buyer,
          column("product", "product_name"),
          column("value", "value"),
          column("", "currency"),
          column("status", "status"),
          left("expires_at"),
          column("approval", "approval_id"),
        ],
        unasked: { status: ["pending"] },
      },
    },
  },
  deals: {
    about: "deals with their prices and states, newest first",
    of: {
      seller: {
        list: "list_deals",
        get: "get_deal",
        id: "deal_id",
        columns: [
          column("deal", "deal_id"),
          buyer,
          column("product", "product.name"),
          column("flight", "terms.flight_start", "terms.flight_end"),
          column("type", "deal_type"),
          column("impressions", "terms.impressions"),
          column("CPM", "pricing.final_cpm"),
          column("cost", "total_cost"),
          column("", "pricing.currency"),
          column("status", "status"),
        ],
      },
      buyer: {
        list: "list_deals",
        get: "get_deal",
        id: "deal_id",
        columns: [
          column("deal", "deal_id"),
          column("seller", "seller_url"),
          column("product", "product_name"),
          column("flight", "flight_start", "flight_end"),
          column("type", "deal_type"),
          column("impressions", "impressions"),
          column("CPM", "price"),
          column("cost", "value"),
          column("", "currency"),
          column("status", "status"),
        ],
      },
    },
  },
  quotes: {
    about: "quotes with the prices that they hold, newest first",
    of: {
      seller: {
        list: "list_quotes",
        get: "get_quote",
        id: "quote_id",
        columns: [
          column("quote", "quote_id"),
          buyer,
          column("product", "product.name"),
          column("flight", "terms.flight_start", "terms.flight_end"),
          column("type", "deal_type"),
          column("impressions", "terms.impressions"),
          column("CPM", "pricing.final_cpm"),
          column("cost", "total_cost"),
          column("", "pricing.currency"),
          column("status", "status"),
          left("expires_at"),
        ],
      },
    },
  },
  negotiations: {
    about: "price talks: the last price of each side and the gap, newest first",
    of: {
      seller: {
        list: "list_negotiations",
        get: "get_negotiation_status",
        id: "negotiation_id",
        columns: [
          column("negotiation", "negotiation_id"),
          buyer,
          column("product", "product_name"),
          column("theirs", "last_buyer_price"),
          column("ours", "last_seller_price"),
          column("agreed", "agreed_price"),
          column("", "currency"),
          column("impressions", "impressions"),
          column("rounds left", "rounds_remaining"),
          column("status", "status"),
        ],
      },
    },
  },
  orders: {
    about: "orders with their states, newest first",
    of: {
      seller: {
        list: "list_orders",
        get: "get_order",
        id: "order_id",
        columns: [
          column("order", "order_id"),
          column("deal", "deal_id"),
          column("buyer", "deal_summary.buyer_name"),
          column("product", "deal_summary.product_name"),
          column("flight", "deal_summary.flight_start", "deal_summary.flight_end"),
          column("cost", "total_cost"),
          column("", "deal_summary.currency"),
          column("status", "status"),
        ],
      },
    },
  },
  products: {
    about: "the products on sale, in catalog order",
    of: {
      seller: {
        list: "list_products",
        get: "get_product",
        id: "product_id",
        isPublic: true,
        columns: [
          column("product", "product_id"),
          column("name", "name"),
          column("kind", "inventory_type"),
          column("list CPM", "base_cpm"),
          column("range", "price_range"),
          column("floor", "floor_cpm"),
          column("", "currency"),
          column("sold as", "ext.deal_types"),
          column("least", "ext.minimum_impressions"),
        ],
      },
    },
  },
  packages: {
    about: "the packages on sale",
    of: {
      seller: {
        list: "list_packages",
        get: "get_package",
        id: "package_id",
        isPublic: true,
        columns: [
          column("package", "package_id"),
          column("name", "name"),
          column("layer", "layer"),
          column("range", "price_range"),
          column("price", "exact_price"),
          column("", "currency"),
          column("sold as", "deal_types"),
        ],
      },
    },
  },
  keys: {
    about: "keys of an agent, without their secrets; parley key makes and revokes them",
    of: {
      seller: {
        list: "list_api_keys",
        get: "get_api_key",
        id: "key_id",
        columns: [
          column("key", "key_id"),
          column("label", "label"),
          column("role", "role"),
          column("agency", "agency_id"),
          column("advertiser", "advertiser_id"),
          column("active", "is_active"),
          column("expires", "expires_at"),
          column("last used", "last_used_at"),
          column("uses", "use_count"),
        ],
      },
      buyer: {
        list: "list_operator_keys",
        get: "get_operator_key",
        id: "key_id",
        columns: [
          column("key", "key_id"),
          column("label", "label"),
          column("role", "role"),
          column("active", "is_active"),
          column("expires", "expires_at"),
          column("last used", "last_used_at"),
          column("uses", "use_count"),
        ],
      },
    },
  },
  events: {
    about: "what happened, newest first; with --follow what happens, as it comes",
    of: {
      seller: {
        list: "list_events",
        get: "get_event",
        id: "event_id",
        columns: [
          column("at", "timestamp"),
          column("what", "event_type"),
          buyer,
          column("product", "product_name"),
          column("flow", "flow_id"),
          column("event", "event_id"),
        ],
      },
      buyer: {
        list: "list_events",
        get: "get_event",
        id: "event_id",
        columns: [
          column("at", "timestamp"),
          column("what", "event_type"),
          column("deal", "deal_id"),
          column("flow", "flow_id"),
          column("event", "event_id"),
        ],
      },
    },
  },
  sellers: {
    about: "the sellers that the buyer knows, and whether they answer",
    of: {
      buyer: {
        list: "list_sellers",
        get: "get_seller_card",
        id: "url",
        columns: [
          column("seller", "url"),
          column("name", "name"),
          column("answers", "reachable"),
          column("trust", "trust_level"),
          column("tier", "tier"),
          column("key", "key_hint"),
          column("last error", "last_error"),
        ],
      },
    },
  },
  bookings: {
    about: "the buyer's campaigns and what they spent, newest first",
    of: {
      buyer: {
        list: "list_bookings",
        get: "get_booking",
        id: "job_id",
        columns: [
          column("campaign", "campaign_name"),
          column("advertiser", "advertiser"),
          column("budget", "budget"),
          column("spent", "spent"),
          column("status", "status"),
          column("since", "created_at"),
          column("booking", "job_id"),
        ],
      },
    },
  },
};

export const subjectNames: readonly string[] = Object.keys(listCommands);
