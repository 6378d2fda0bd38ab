import type { OutputOf } from "../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../address.ts";
import {
  buyerName,
  count,
  day,
  flight,
  moment,
  money,
  moneyOf,
  plain,
  plural,
  roundMoney,
  share,
  shortCount,
  spoken,
} from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { Card, Chip, Facts } from "../../parts/bits.tsx";
import { Copyable } from "../../parts/copy.tsx";
import { Download } from "../../parts/download.tsx";
import { Meter } from "../../parts/meter.tsx";
import { MachineStates } from "../../parts/machine.tsx";
import { Filter, Page } from "../../parts/page.tsx";
import { Search } from "../../parts/search.tsx";
import { Rows } from "../../parts/rows.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import type { Column } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { dealStanding, statusWords, toneOf, wordOf } from "../../words.ts";
import type { Screen, ScreenProps } from "../screen.ts";
import { ActivateAll } from "./activate-all.tsx";
import { EventCard } from "../latest.tsx";
import { DealMoves, type DealMovesProps, isToActivate } from "./deal-moves.tsx";

type Listed = OutputOf<typeof seller.listDeals>["deals"][number];

const choices = ["to_activate", "waiting", "active", "completed", "rejected", "expired"] as const;

const choiceWords = {
  ...statusWords,
  to_activate: "To activate",
  waiting: "Waits for approval",
  rejected: "Rejected or cancelled",
};

/** A proposed deal waits for an approval first, and then to be activated. */
const filterOf = (chosen: (typeof choices)[number] | null) => {
  if (chosen === null) return {};
  if (chosen === "to_activate" || chosen === "waiting") {
    return { status: ["proposed" as const], awaiting_approval: chosen === "waiting" };
  }
  return { status: [chosen] };
};

const sorts = ["created", "value", "flight"] as const;

const valueOf = ({ value, pricing }: Listed): string => roundMoney(value, pricing.currency);

const columns: readonly Column<Listed>[] = [
  { name: "Buyer", isLead: true, cell: (deal) => buyerName(deal.buyer_name, deal.buyer) },
  { name: "Product", cell: (deal) => plain(deal.product.name) },
  { name: "Flight", cell: (deal) => flight(deal.terms.flight_start, deal.terms.flight_end) },
  { name: "Type", cell: (deal) => plain(deal.deal_type) },
  { name: "CPM", isNumber: true, cell: (deal) => money(deal.pricing.final_cpm, deal.pricing.currency) },
  { name: "Volume", isNumber: true, cell: (deal) => shortCount(deal.terms.impressions) },
  { name: "Value", isNumber: true, cell: valueOf },
  { name: "Status", cell: (deal) => <Chip tone={toneOf(deal.status)}>{dealStanding(deal)}</Chip> },
];

const csvRow = (deal: Listed): readonly string[] => [
  deal.deal_id,
  buyerName(deal.buyer_name, deal.buyer),
  deal.product.name,
  deal.terms.flight_start,
  deal.terms.flight_end ?? "",
  deal.deal_type,
  String(deal.pricing.final_cpm),
  String(deal.terms.impressions ?? ""),
  String(deal.value ?? ""),
  String(deal.delivered_impressions),
  String(deal.delivered_spend ?? ""),
  deal.pricing.currency,
  deal.cancelled === true ? "cancelled" : deal.status,
];

const sumOf = (shown: number, totals: OutputOf<typeof seller.listDeals>["totals"]): string => {
  if (totals == null) return plural(shown, "deal");
  const { standing_count: standing = totals.count, standing_impressions: volume = totals.impressions } = totals;
  const lost = totals.count - standing;
  const value = moneyOf(totals.standing_values);
  const booked = `${plural(standing, "deal")} booked, ${shortCount(volume)} impressions, ${value}`;
  return lost === 0 ? booked : `${booked}; ${lost} more rejected, cancelled or expired, in no sum`;
};

const csvHead = [
  ...["deal_id", "buyer", "product", "from", "to", "type", "cpm", "volume", "value"],
  ...["delivered", "spend", "currency", "status"],
];

const DealList = () => {
  const { query } = useAddress();
  const chosen = oneOf(choices, query["status"]);
  const { q, cursor, buyer } = query;
  const read = useRead(
    seller.listDeals,
    {
      ...filterOf(chosen),
      q,
      buyer,
      cursor,
      sort: oneOf(sorts, query["sort"]) ?? "created",
      limit: 50,
    },
    ["deal."],
  );
  return (
    <Page
      title="Deals"
      note={buyer === undefined ? "What is booked, and what was rejected, cancelled or expired." : `Of ${plain(buyer)}`}
    >
      <Search label="Find a deal, buyer or product" />
      <Filter name="status" label="Status" values={choices} wordOf={(value) => wordOf(choiceWords, value)} />
      <Filter name="sort" label="Order" values={["value", "flight"]} all="Newest" wordOf={(value) => `By ${value}`} />
      <Rows
        read={read}
        rowsOf={(page) => page.deals}
        caption="Deals"
        columns={columns}
        idOf={(deal) => deal.deal_id}
        link={(deal) => screenOf("deals", deal.deal_id)}
        empty={<Empty title="No deal.">A buyer books a quote, or you approve its offer; the deal is then here.</Empty>}
        below={({ deals, totals }) => (
          <p class="row muted">
            {chosen === "to_activate" ? <ActivateAll deals={deals} after={read.again} /> : null}
            {sumOf(deals.length, totals)}
            <Download name="deals.csv" head={csvHead} rows={deals.map(csvRow)} />
          </p>
        )}
      />
    </Page>
  );
};

type Deal = OutputOf<typeof seller.getDeal>;

/** A deal that waits for a decision has no other moves. */
const Next = ({ deal, again }: DealMovesProps) => {
  const id = deal.status === "proposed" && typeof deal["approval_id"] === "string" ? deal["approval_id"] : null;
  const read = useRead(seller.getApproval, id === null ? null : { approval_id: id }, ["approval."]);
  if (id === null || (read.output !== null && read.output.request.status !== "pending")) {
    return <DealMoves deal={deal} again={again} />;
  }
  return (
    <p class="notice warn">
      It waits for a person. <a href={screenOf("approvals", id)}>Decide it</a>
    </p>
  );
};

const Terms = ({ deal }: { readonly deal: Deal }) => (
  <Card title="Terms">
    <Facts
      rows={[
        { name: "Buyer", value: deal.buyer_name ?? deal.buyer },
        { name: "Deal", value: deal.deal_id, isCode: true },
        { name: "Flight", value: flight(deal.terms.flight_start, deal.terms.flight_end) },
        { name: "Volume", value: `${count(deal.terms.impressions)} impressions` },
        { name: "In all", value: money(deal.total_cost, deal.pricing.currency) },
        { name: "Guaranteed", value: deal.terms.guaranteed ? "yes" : "no" },
        { name: "Tier", value: deal.buyer_tier },
        { name: "Booked", value: moment(deal.created_at) },
      ]}
    />
  </Card>
);

const PriceTrail = ({ deal }: { readonly deal: Deal }) => {
  const { pricing } = deal;
  return (
    <Card title="How the price came about">
      <Facts
        rows={[
          { name: "List price", value: money(pricing.base_cpm, pricing.currency) },
          { name: "Off for the tier", value: `${pricing.tier_discount_pct} %` },
          { name: "Off for the volume", value: `${pricing.volume_discount_pct} %` },
          { name: "Booked at", value: money(pricing.final_cpm, pricing.currency) },
          { name: "Because", value: pricing.rationale },
          { name: "Quote", value: deal.quote_id, isCode: true },
        ]}
      />
    </Card>
  );
};

type Delivered = OutputOf<typeof seller.getDelivery>;

const DeliveryFacts = ({ delivered }: { readonly delivered: Delivered }) => {
  const { delivered_impressions: impressions, booked_impressions: booked, currency, sources } = delivered;
  return (
    <>
      {booked === null ? null : (
        <Meter part={impressions} whole={booked} name={`${count(impressions)} of ${count(booked)} impressions`} />
      )}
      <Facts
        rows={[
          { name: "Impressions", value: count(impressions) },
          { name: "Of the volume", value: delivered.delivered_share === null ? "-" : share(delivered.delivered_share) },
          { name: "Clicks", value: count(delivered.delivered_clicks) },
          { name: "Spend", value: money(delivered.delivered_spend, currency) },
          { name: "Counted by", value: plain(delivered.data_source) },
          ...sources.map((one) => ({
            name: plain(one.source),
            value: `${count(one.impressions)}${one.last_date === null ? "" : `, until ${day(one.last_date)}`}`,
          })),
        ]}
      />
    </>
  );
};

const Delivery = ({ deal }: { readonly deal: Deal }) => {
  const read = useRead(seller.getDelivery, { deal_id: deal.deal_id }, ["deal."]);
  return (
    <Card title="Delivered">
      <Shown read={read}>
        {(delivered) =>
          delivered.data_source === "none" ? (
            <p class="muted">Nothing was reported yet, by an ad server or an edge.</p>
          ) : (
            <DeliveryFacts delivered={delivered} />
          )
        }
      </Shown>
    </Card>
  );
};

/** Of a deal that is over there is nothing to set up. */
const Activation = ({ deal }: { readonly deal: Deal }) =>
  deal.status === "proposed" || deal.status === "active" ? (
    <Card title="Activation">
      {Object.entries(deal.activation_instructions).map(([platform, text]) => (
        <Copyable key={platform} name={plain(platform)} text={plain(text, 2000)} />
      ))}
      <Copyable name="OpenRTB" text={plain(JSON.stringify(deal.openrtb_params), 4000)} />
    </Card>
  ) : null;

/** From its quote on; the audit names who wrote each field. */
const DealHistory = ({ id }: { readonly id: string }) => (
  <EventCard
    title="What happened"
    note={<a href={`${screenOf("audit")}?record_id=${encodeURIComponent(id)}`}>Who changed what</a>}
    read={useRead(seller.listEvents, { deal_id: id, limit: 100 }, ["deal.", "order.", "change_request.", "approval."])}
    first="The events of this deal are no longer kept."
  />
);

const DealPage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getDeal, { deal_id: id }, ["deal."]);
  const back = { href: screenOf("deals"), label: "All deals" };
  const deal = read.output;
  return (
    <Page
      title={deal === null ? "Deal" : plain(deal.product.name)}
      back={back}
      chips={
        deal === null ? undefined : (
          <>
            <Chip tone={toneOf(deal.status)}>{dealStanding(deal)}</Chip>
            <Chip>{plain(deal.deal_type)}</Chip>
          </>
        )
      }
      note={deal === null || isToActivate(deal) ? undefined : spoken(deal.status_text, 300)}
    >
      <Shown read={read}>
        {(shown) => (
          <>
            <Next deal={shown} again={read.again} />
            <div class="columns">
              <Terms deal={shown} />
              <PriceTrail deal={shown} />
              <Card title="State">
                <MachineStates kind="deal" state={shown.status} called={dealStanding(shown)} />
              </Card>
              <Delivery deal={shown} />
              <Activation deal={shown} />
            </div>
            <DealHistory id={shown.deal_id} />
          </>
        )}
      </Shown>
    </Page>
  );
};

const DealsScreen = ({ id }: ScreenProps) => (id === null ? <DealList /> : <DealPage key={id} id={id} />);

export const deals: Screen = { path: "deals", label: "Deals", key: "d", hasRows: true, component: DealsScreen };
