import { useState } from "preact/hooks";
import { call, type OutputOf } from "../../../agent/api.ts";
import { isoDayIn, oneOf, screenOf, useAddress } from "../../../address.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { nowMs } from "../../../clock.ts";
import { ago, buyerName, moneyOf, plain, priceText, roundMoney, share, shortCount, shortDays } from "../../../form.ts";
import { Figure, Figures } from "../../../parts/bits.tsx";
import { CopyId } from "../../../parts/copy.tsx";
import { Empty } from "../../../parts/states.tsx";
import { useRead } from "../../../agent/read.ts";
import { dealStanding } from "../../../words.ts";
import { BuyerCell } from "../../../grid/buyer.tsx";
import type { WorkColumn } from "../../../grid/column.ts";
import { type Axis, AxisHead, axisOf, FlightOnAxis, type FlightBarProps } from "../../../grid/flight-axis.tsx";
import { WorkPage } from "../../../grid/page.tsx";
import { StandingMark } from "../../../grid/standing.tsx";
import { DownloadAll, RangeMenu } from "../../../grid/tools.tsx";
import { ActivateButton, ActivateSheet } from "./activate-all.tsx";

type Page = OutputOf<typeof seller.listDeals>;
export type Listed = Page["deals"][number];

const choices = ["to_activate", "waiting", "active", "completed", "rejected", "expired"] as const;

const choiceWords: Readonly<Record<(typeof choices)[number], string>> = {
  to_activate: "To activate",
  waiting: "Waits for approval",
  active: "Active",
  completed: "Completed",
  rejected: "Rejected or cancelled",
  expired: "Expired",
};

/** A proposed deal waits for an approval first, and then to be activated. */
const filterOf = (chosen: (typeof choices)[number] | null) => {
  if (chosen === null) return {};
  if (chosen === "to_activate" || chosen === "waiting") {
    return { status: ["proposed" as const], awaiting_approval: chosen === "waiting" };
  }
  return { status: [chosen] };
};

const sorts = ["created", "value", "flight", "price", "impressions"] as const;

const isOver = ({ status }: Listed): boolean => status === "rejected" || status === "expired";

const standingOf = (deal: Listed) => {
  const text = dealStanding(deal);
  if (deal.status === "active") return <StandingMark text={text} tone="ok" />;
  if (deal.status === "proposed") {
    return <StandingMark text={text} tone="warn" mark={deal.awaiting_approval === true ? "ring" : "dot"} />;
  }
  if (deal.status === "rejected") return <StandingMark text={text} tone="bad" mark="cross" />;
  return <StandingMark text={text} tone="quiet" mark={deal.status === "expired" ? "ring" : "dot"} />;
};

const deliveredPart = ({ delivered_impressions: delivered, terms }: Listed): number =>
  terms.impressions == null || terms.impressions === 0 ? 0 : delivered / terms.impressions;

const looks: Readonly<Record<Listed["status"], FlightBarProps["look"]>> = {
  proposed: "planned",
  active: "runs",
  completed: "done",
  rejected: "over",
  expired: "over",
};

const barOf = (deal: Listed, axis: Axis) => (
  <FlightOnAxis
    axis={axis}
    from={deal.terms.flight_start}
    to={deal.terms.flight_end ?? deal.terms.flight_start}
    part={deliveredPart(deal)}
    look={deal.awaiting_approval === true ? "waits" : looks[deal.status]}
  />
);

const firstColumns: readonly WorkColumn<Listed>[] = [
  {
    key: "deal",
    name: "Deal",
    width: "104px",
    cell: (deal) => <CopyId id={deal.deal_id} />,
    text: (deal) => deal.deal_id,
  },
  {
    key: "buyer",
    name: "Buyer",
    narrow: "lead",
    cell: (deal) => <BuyerCell name={deal.buyer_name} owner={deal.buyer} />,
    text: (deal) => buyerName(deal.buyer_name, deal.buyer),
  },
  {
    key: "product",
    name: "Product",
    narrow: "second",
    cell: (deal) => <span class="clip">{plain(deal.product.name)}</span>,
    text: (deal) => deal.product.name,
  },
  {
    key: "flight",
    name: "Flight",
    isNumber: true,
    narrow: "second",
    width: "118px",
    sort: { by: "flight", isRising: true },
    cell: ({ terms }) => shortDays(terms.flight_start, terms.flight_end ?? terms.flight_start),
    text: ({ terms }) => `${terms.flight_start} ${terms.flight_end ?? ""}`,
  },
];

const lastColumns: readonly WorkColumn<Listed>[] = [
  { key: "type", name: "Type", width: "40px", cell: (deal) => plain(deal.deal_type), text: (deal) => deal.deal_type },
  {
    key: "cpm",
    name: "CPM",
    isNumber: true,
    width: "68px",
    sort: { by: "price" },
    cell: ({ pricing }) => priceText(pricing.final_cpm, pricing.currency),
    text: ({ pricing }) => String(pricing.final_cpm),
  },
  {
    key: "list",
    name: "List",
    isNumber: true,
    isExtra: true,
    cell: ({ pricing }) => priceText(pricing.base_cpm, pricing.currency),
    text: ({ pricing }) => String(pricing.base_cpm),
  },
  {
    key: "impressions",
    name: "Impr.",
    isNumber: true,
    width: "64px",
    sort: { by: "impressions" },
    cell: ({ terms }) => shortCount(terms.impressions),
    text: ({ terms }) => String(terms.impressions ?? ""),
  },
  {
    key: "delivered",
    name: "Delivered",
    isNumber: true,
    isExtra: true,
    cell: (deal) => share(deliveredPart(deal)),
    text: (deal) => String(deal.delivered_impressions),
  },
  {
    key: "value",
    name: "Value",
    isNumber: true,
    narrow: "end",
    width: "84px",
    sort: { by: "value" },
    cell: (deal) => <b>{roundMoney(deal.value, deal.pricing.currency)}</b>,
    text: (deal) => String(deal.value ?? ""),
  },
  {
    key: "currency",
    name: "Currency",
    isExtra: true,
    cell: ({ pricing }) => pricing.currency,
    text: ({ pricing }) => pricing.currency,
  },
  { key: "tier", name: "Tier", isExtra: true, cell: (deal) => plain(deal.buyer_tier), text: (deal) => deal.buyer_tier },
  {
    key: "booked",
    name: "Booked",
    isExtra: true,
    sort: { by: "created" },
    cell: (deal) => ago(deal.created_at, nowMs.value),
    text: (deal) => deal.created_at,
  },
  {
    key: "order",
    name: "Order",
    isExtra: true,
    cell: ({ order_ids: [id] }) => (id === undefined ? "none" : <a href={screenOf("orders", id)}>{plain(id, 12)}</a>),
    text: ({ order_ids: ids }) => ids.join(" "),
  },
  {
    key: "status",
    name: "Status",
    narrow: "second",
    width: "152px",
    cell: standingOf,
    text: (deal) => (deal.cancelled === true ? "cancelled" : deal.status),
  },
];

const columnsOf = (axis: Axis): readonly WorkColumn<Listed>[] => [
  ...firstColumns,
  {
    key: "axis",
    name: "Flight as a bar",
    width: "180px",
    head: <AxisHead axis={axis} />,
    cell: (deal) => barOf(deal, axis),
  },
  ...lastColumns,
];

const averageOf = (values: Readonly<Record<string, number>>, impressions: number): string => {
  const [[currency, value] = ["USD", 0], ...others] = Object.entries(values);
  return others.length > 0 || impressions === 0
    ? "none"
    : priceText(Math.round((value / impressions) * 1e5) / 100, currency);
};

const Totals = ({ page }: { readonly page: Page | null }) => {
  const totals = page?.totals ?? null;
  if (totals === null) return null;
  const { standing_count: standing = totals.count, standing_impressions: volume = totals.impressions } = totals;
  const lost = totals.count - standing;
  return (
    <div class="strip-card">
      <Figures>
        <Figure
          name="Deals"
          value={String(totals.count)}
          note={lost === 0 ? "all count" : `${standing} count, ${lost} ended early`}
        />
        <Figure name="Value" value={moneyOf(totals.standing_values)} />
        <Figure name="Impressions" value={shortCount(volume)} />
        <Figure name="Average CPM" value={averageOf(totals.standing_values, volume)} />
      </Figures>
    </div>
  );
};

const isToActivate = (deal: Listed): boolean => deal.status === "proposed" && deal.awaiting_approval !== true;

interface BulkProps {
  readonly rows: readonly Listed[];
  readonly activate: (deals: readonly Listed[]) => void;
  readonly clear: () => void;
}

/** What can be done with the deals that are selected, and what they are worth together. */
const Bulk = ({ rows, activate, clear }: BulkProps) => {
  const values: Record<string, number> = {};
  for (const { value, pricing } of rows) values[pricing.currency] = (values[pricing.currency] ?? 0) + (value ?? 0);
  const volume = rows.reduce((sum, { terms }) => sum + (terms.impressions ?? 0), 0);
  return (
    <>
      <b>{rows.length} selected</b>
      <span class="muted">
        {moneyOf(values)}, {shortCount(volume)} impressions
      </span>
      <ActivateButton deals={rows.filter(isToActivate)} press={activate} />
      <button
        type="button"
        class="button small"
        onClick={() => void navigator.clipboard?.writeText(rows.map((deal) => deal.deal_id).join("\n"))}
      >
        Copy ids
      </button>
      <button type="button" class="button small quiet" onClick={clear}>
        Clear
      </button>
    </>
  );
};

const tabsOf = (page: Page | null) => [
  { value: "", label: "All", count: page?.counts?.all },
  ...choices.map((value) => ({ value, label: choiceWords[value], count: page?.counts?.[value] })),
];

const useFilter = () => {
  const { query } = useAddress();
  const chosen = oneOf(choices, query["status"]);
  const { q, buyer, product, sort, order } = query;
  const by = oneOf(sorts, sort) ?? "created";
  const isRising = by === "flight";
  return {
    ...filterOf(chosen),
    q,
    buyer,
    product_id: product,
    flight_from: isoDayIn(query["from"]),
    flight_to: isoDayIn(query["to"]),
    sort: by,
    reversed: order !== undefined && (order === "up") !== isRising ? true : undefined,
  };
};

const pageSize = 50;

const spansOf = (page: Page | null) =>
  (page?.deals ?? []).map(({ terms }) => ({ from: terms.flight_start, to: terms.flight_end ?? terms.flight_start }));

const legend = (
  <>
    <span class="own-words">Their own words, not checked</span>
    <span class="legend">Delivered</span>
  </>
);

interface ToolsProps {
  readonly columns: readonly WorkColumn<Listed>[];
  readonly filter: ReturnType<typeof useFilter>;
}

const Tools = ({ columns, filter }: ToolsProps) => (
  <>
    <RangeMenu any="Any flight" />
    <DownloadAll
      name="deals.csv"
      columns={columns}
      page={(cursor) => call(seller.listDeals, { ...filter, cursor, limit: 500 })}
      rowsOf={(page: Page) => page.deals}
    />
  </>
);

export const DealList = () => {
  const { query } = useAddress();
  const filter = useFilter();
  const read = useRead(seller.listDeals, { ...filter, cursor: query["cursor"], limit: pageSize }, ["deal."]);
  // Counts look at each deal: asked for beside the rows, they would be answered in turns with them.
  const toCount = read.output === null ? null : { ...filter, with_counts: true, limit: 1 };
  const counted = useRead(seller.listDeals, toCount, ["deal."], false);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const axis = axisOf(spansOf(read.output), nowMs.value);
  const columns = columnsOf(axis);
  const [activated, setActivated] = useState<readonly Listed[] | null>(null);
  const close = (): void => {
    setActivated(null);
    setIds(new Set());
    read.again();
  };
  return (
    <>
      <WorkPage
        title="Deals"
        table="deals"
        caption="Deals"
        read={read}
        rowsOf={(page) => page.deals}
        total={() => counted.output?.totals?.count}
        columns={columns}
        idOf={(deal) => deal.deal_id}
        link={(deal) => screenOf("deals", deal.deal_id)}
        classOf={(deal) => (isOver(deal) ? "over" : "")}
        selected={{ ids, set: setIds }}
        totals={<Totals page={counted.output} />}
        tabs={{ name: "status", label: "Status", tabs: tabsOf(counted.output) }}
        find="Find a deal, buyer or product"
        empty={<Empty title="No deal.">A buyer books a quote, or you approve its offer; the deal is then here.</Empty>}
        bulk={(rows) => <Bulk rows={rows} activate={setActivated} clear={() => setIds(new Set())} />}
        legend={legend}
        tools={<Tools columns={columns} filter={filter} />}
      />
      <ActivateSheet deals={activated} close={close} />
    </>
  );
};
