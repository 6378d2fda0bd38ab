import type { OutputOf } from "../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../address.ts";
import * as buyer from "../../agent/buyer.generated.ts";
import { flight, money, moneyOf, plain, plural, quotation, roundMoney, shortCount } from "../../form.ts";
import { Chip } from "../../parts/bits.tsx";
import { Download } from "../../parts/download.tsx";
import { Filter, Page } from "../../parts/page.tsx";
import { NothingHere } from "../../parts/rows.tsx";
import { Search } from "../../parts/search.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { usePoll } from "../../agent/poll.ts";
import { useRead } from "../../agent/read.ts";
import { statusWords, toneOf, wordOf } from "../../words.ts";
import { useSellerNames } from "./seller-names.ts";

type Listed = OutputOf<typeof buyer.listDeals>["deals"][number];

const statuses = ["quoted", "booked"] as const;
const types = ["PG", "PD", "PA"] as const;

/** What its seller last said of it, where it said anything. */
const standsAs = ({ status, seller_status: said }: Listed): string => said ?? status;

const standingWords = { ...statusWords, proposed: "Booked, not active yet" };

const isBeingCancelled = ({ cancellation }: Listed): boolean =>
  cancellation?.state === "asked" || cancellation?.state === "waiting";

const Standing = ({ deal }: { readonly deal: Listed }) => (
  <>
    <Chip tone={toneOf(standsAs(deal))}>{wordOf(standingWords, plain(standsAs(deal)))}</Chip>
    {isBeingCancelled(deal) ? <span class="small block">Cancellation asked for</span> : null}
    {deal.status_reason == null ? null : <span class="muted small block">{quotation(deal.status_reason, 200)}</span>}
  </>
);

const pollMs = 5000;

const columnsOf = (sellerOf: (url: string) => string): readonly Column<Listed>[] => [
  { name: "Product", isLead: true, cell: (deal) => plain(deal.product_name) },
  { name: "Seller", cell: (deal) => sellerOf(deal.seller_url) },
  { name: "Flight", cell: (deal) => flight(deal.flight_start, deal.flight_end) },
  { name: "Type", cell: (deal) => plain(deal.deal_type) },
  { name: "CPM", isNumber: true, cell: (deal) => money(deal.price, deal.currency) },
  { name: "Volume", isNumber: true, cell: (deal) => shortCount(deal.impressions) },
  { name: "Value", isNumber: true, cell: (deal) => roundMoney(deal.value, deal.currency) },
  { name: "Status", cell: (deal) => <Standing deal={deal} /> },
];

const sumOf = (totals: OutputOf<typeof buyer.listDeals>["totals"]): string => {
  const { standing_count: booked = totals.count, standing_impressions: volume = totals.impressions } = totals;
  const others = totals.count - booked;
  const value = moneyOf(totals.standing_value ?? totals.value);
  const sum = `${plural(booked, "deal")} booked, ${shortCount(volume)} impressions, ${value}`;
  return others === 0 ? sum : `${sum}; ${others} more only quoted, or ended, in no sum`;
};

const csvHead = ["deal_id", "quote_id", "seller", "product", "from", "to", "type", "cpm", "volume", "value", "status"];

const csvRow = (deal: Listed): readonly string[] => [
  deal.deal_id ?? "",
  deal.quote_id ?? "",
  deal.seller_url,
  deal.product_name,
  deal.flight_start ?? "",
  deal.flight_end ?? "",
  deal.deal_type,
  String(deal.price ?? ""),
  String(deal.impressions ?? ""),
  String(deal.value ?? ""),
  standsAs(deal),
];

export const DealsScreen = () => {
  const { query } = useAddress();
  const status = oneOf(statuses, query["status"]);
  const type = oneOf(types, query["type"]);
  const { q } = query;
  const sellerOf = useSellerNames();
  const read = useRead(
    buyer.listDeals,
    {
      status,
      deal_type: type,
      q,
      limit: 100,
    },
    ["deal.", "quote."],
  );
  const isOpen = read.output?.deals.some((deal) => deal.deal_id !== null && standsAs(deal) === "proposed") === true;
  usePoll(isOpen, read.again, pollMs);
  return (
    <Page title="Deals" note="Quotes and deals of campaigns and of direct bookings, newest first.">
      <Search label="Find a deal, product or seller" />
      <Filter name="status" label="Status" values={statuses} wordOf={(value) => wordOf(statusWords, value)} />
      <Filter name="type" label="Type" values={types} wordOf={(value) => value} />
      <Shown read={read}>
        {({ deals, totals }) =>
          deals.length === 0 ? (
            <NothingHere empty={<Empty title="No deal.">An approved campaign line becomes one.</Empty>} />
          ) : (
            <>
              <Table
                caption="Deals"
                columns={columnsOf(sellerOf)}
                rows={deals}
                link={(deal) => (typeof deal["job_id"] === "string" ? screenOf("campaigns", deal["job_id"]) : null)}
                idOf={(deal) => `${deal.seller_url} ${deal.deal_id ?? deal.quote_id ?? ""}`}
              />
              <p class="row muted">
                {sumOf(totals)}
                {deals.length < totals.count ? `; the newest ${deals.length} are shown` : ""}
                <Download name="deals.csv" head={csvHead} rows={deals.map(csvRow)} />
              </p>
            </>
          )
        }
      </Shown>
    </Page>
  );
};
