import { UriTemplate } from "@modelcontextprotocol/server";

/** `id` is the member of `list`'s items, under `items`, that the URI names. */
export interface ResourceKind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly uri: string;
  readonly operation: string;
  readonly argument?: string;
  readonly list?: { readonly operation: string; readonly items: string; readonly id: string };
}

const kind = (
  name: string,
  operation: string,
  argument: string,
  list: string,
  items: string,
  description: string,
  id = argument,
): ResourceKind => ({
  name,
  title: `${name[0]?.toUpperCase()}${name.slice(1)}`,
  description,
  uri: `parley://${name}/{${argument}}`,
  operation,
  argument,
  list: { operation: list, items, id },
});

/** Those count whose operation the agent has. */
export const resourceKinds: readonly ResourceKind[] = [
  kind("product", "get_product", "product_id", "list_products", "products", "A product with the prices that you see."),
  kind(
    "package",
    "get_media_kit_package",
    "package_id",
    "list_media_kit_packages",
    "packages",
    "A package of the media kit.",
  ),
  kind("quote", "get_quote", "quote_id", "list_quotes", "quotes", "A quote, its price and whether it can be booked."),
  kind("deal", "get_deal", "deal_id", "list_deals", "deals", "A deal, where it stands and what it waits for."),
  kind("order", "get_order", "order_id", "list_orders", "orders", "An order with its state and moves."),
  kind(
    "negotiation",
    "get_negotiation_status",
    "negotiation_id",
    "list_negotiations",
    "negotiations",
    "A negotiation, its rounds and how many are left.",
  ),
  kind(
    "campaign",
    "get_booking",
    "job_id",
    "list_bookings",
    "jobs",
    "A campaign: its brief, lines, totals and errors.",
  ),
  {
    name: "rate-card",
    title: "Rate card",
    description: "The products with the prices that you see, per thousand impressions, as list_products gives them.",
    uri: "parley://rate-card",
    operation: "list_products",
  },
];

const templates = new Map(resourceKinds.map(({ uri }) => [uri, new UriTemplate(uri)]));

export interface NamedResource {
  readonly kind: ResourceKind;
  readonly id: string | null;
}

const longestUri = 512;

export const resourceOf = (uri: string): NamedResource | null => {
  if (uri.length > longestUri) return null;
  for (const found of resourceKinds) {
    if (found.argument === undefined) {
      if (found.uri === uri) return { kind: found, id: null };
      continue;
    }
    const id = templates.get(found.uri)?.match(uri)?.[found.argument];
    if (typeof id === "string" && id !== "") return { kind: found, id: decoded(id) };
  }
  return null;
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
