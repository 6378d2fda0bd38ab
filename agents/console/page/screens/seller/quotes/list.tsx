import { isoDayIn, oneOf, screenOf, useAddress } from "../../../address.ts";
import { call, type OutputOf } from "../../../agent/api.ts";
import { useRead } from "../../../agent/read.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { nowMs } from "../../../clock.ts";
import { ago, buyerName, left, moment, plain, priceText, roundMoney, shortCount, shortDays } from "../../../form.ts";
import { BuyerCell } from "../../../grid/buyer.tsx";
import type { WorkColumn } from "../../../grid/column.ts";
import { WorkPage } from "../../../grid/page.tsx";
import { StandingMark } from "../../../grid/standing.tsx";
import { DownloadAll, RangeMenu } from "../../../grid/tools.tsx";
import { CopyId } from "../../../parts/copy.tsx";
import { Empty } from "../../../parts/states.tsx";
import { quoteStates, wordOf } from "../../../words.ts";

type Page = OutputOf<typeof seller.listQuotes>;
type Listed = Page["quotes"][number];

const statuses = ["available", "booked", "expired", "declined"] as const;

const sorts = ["created", "price", "impressions", "flight", "expires"] as const;

const quoteStanding = ({ status, expires_at: expiresAt }: Listed) => {
  const text = wordOf(quoteStates, status);
  if (status === "available") return <StandingMark text={left(expiresAt, nowMs.value)} tone="warn" mark="ring" />;
  if (status === "booked") return <StandingMark text={text} tone="ok" />;
  return <StandingMark text={text} tone="quiet" mark={status === "declined" ? "cross" : "ring"} />;
};

const columns: readonly WorkColumn<Listed>[] = [
  {
    key: "quote",
    name: "Quote",
    width: "104px",
    cell: (quote) => <CopyId id={quote.quote_id} />,
    text: (quote) => quote.quote_id,
  },
  {
    key: "buyer",
    name: "Buyer",
    narrow: "lead",
    cell: (quote) => <BuyerCell name={quote.buyer_name} owner={quote.buyer} />,
    text: (quote) => buyerName(quote.buyer_name, quote.buyer),
  },
  {
    key: "product",
    name: "Product",
    narrow: "second",
    cell: (quote) => <span class="clip">{plain(quote.product.name)}</span>,
    text: (quote) => quote.product.name,
  },
  {
    key: "flight",
    name: "Flight",
    isNumber: true,
    narrow: "second",
    width: "128px",
    sort: { by: "flight", isRising: true },
    cell: ({ terms }) => shortDays(terms.flight_start, terms.flight_end ?? terms.flight_start),
    text: ({ terms }) => `${terms.flight_start} ${terms.flight_end ?? ""}`,
  },
  {
    key: "type",
    name: "Type",
    width: "44px",
    cell: (quote) => plain(quote.deal_type),
    text: (quote) => quote.deal_type,
  },
  {
    key: "list",
    name: "List",
    isNumber: true,
    width: "76px",
    cell: ({ pricing }) => priceText(pricing.base_cpm, pricing.currency),
    text: ({ pricing }) => String(pricing.base_cpm),
  },
  {
    key: "cpm",
    name: "CPM",
    isNumber: true,
    width: "76px",
    sort: { by: "price" },
    cell: ({ pricing }) => <b>{priceText(pricing.final_cpm, pricing.currency)}</b>,
    text: ({ pricing }) => String(pricing.final_cpm),
  },
  {
    key: "impressions",
    name: "Impr.",
    isNumber: true,
    width: "68px",
    sort: { by: "impressions" },
    cell: ({ terms }) => shortCount(terms.impressions),
    text: ({ terms }) => String(terms.impressions ?? ""),
  },
  {
    key: "value",
    name: "Value",
    isNumber: true,
    narrow: "end",
    width: "92px",
    cell: (quote) => <b>{roundMoney(quote.total_cost, quote.pricing.currency)}</b>,
    text: (quote) => String(quote.total_cost ?? ""),
  },
  {
    key: "currency",
    name: "Currency",
    isExtra: true,
    cell: ({ pricing }) => pricing.currency,
    text: ({ pricing }) => pricing.currency,
  },
  {
    key: "tier",
    name: "Tier",
    isExtra: true,
    cell: (quote) => plain(quote.buyer_tier),
    text: (quote) => quote.buyer_tier,
  },
  {
    key: "quoted",
    name: "Quoted",
    width: "112px",
    sort: { by: "created" },
    cell: (quote) => ago(quote.created_at, nowMs.value),
    text: (quote) => quote.created_at,
  },
  {
    key: "expires",
    name: "Holds until",
    isExtra: true,
    sort: { by: "expires", isRising: true },
    cell: (quote) => moment(quote.expires_at),
    text: (quote) => quote.expires_at,
  },
  {
    key: "status",
    name: "Status",
    narrow: "second",
    width: "136px",
    cell: quoteStanding,
    text: (quote) => quote.status,
  },
];

const useFilter = () => {
  const { query } = useAddress();
  const { q, buyer, product, order } = query;
  const status = oneOf(statuses, query["status"]);
  const by = oneOf(sorts, query["sort"]) ?? "created";
  const isRising = by === "flight" || by === "expires";
  return {
    status: status === null ? null : [status],
    q,
    buyer,
    product_id: product,
    created_from: isoDayIn(query["from"]),
    created_to: isoDayIn(query["to"]),
    sort: by,
    reversed: order !== undefined && (order === "up") !== isRising ? true : undefined,
  };
};

const tabsOf = (page: Page | null) => [
  { value: "", label: "All", count: page?.counts?.all },
  ...statuses.map((value) => ({ value, label: wordOf(quoteStates, value), count: page?.counts?.[value] })),
];

export const QuoteList = () => {
  const { query } = useAddress();
  const filter = useFilter();
  const read = useRead(seller.listQuotes, { ...filter, cursor: query["cursor"], limit: 50 }, ["quote."]);
  // Counts look at each quote: asked for beside the rows, they would be answered in turns with them.
  const toCount = read.output === null ? null : { ...filter, with_counts: true, limit: 1 };
  const counted = useRead(seller.listQuotes, toCount, ["quote."], false);
  const status = filter.status?.[0] ?? "all";
  return (
    <WorkPage
      title="Quotes"
      table="quotes"
      caption="Quotes"
      read={read}
      rowsOf={(page) => page.quotes}
      total={() => counted.output?.counts?.[status]}
      columns={columns}
      idOf={(quote) => quote.quote_id}
      link={(quote) => screenOf("quotes", quote.quote_id)}
      classOf={(quote) => (quote.status === "expired" || quote.status === "declined" ? "over" : "")}
      tabs={{ name: "status", label: "Status", tabs: tabsOf(counted.output) }}
      find="Find a quote or product"
      empty={<Empty title="No quote.">A buyer asks for one; it appears here for as long as it counts.</Empty>}
      tools={
        <>
          <RangeMenu any="Quoted any day" isPast />
          <DownloadAll
            name="quotes.csv"
            columns={columns}
            page={(cursor) => call(seller.listQuotes, { ...filter, cursor, limit: 500 })}
            rowsOf={(page: Page) => page.quotes}
          />
        </>
      }
    />
  );
};
