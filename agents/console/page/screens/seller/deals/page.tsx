import type { OutputOf } from "../../../agent/api.ts";
import { screenOf } from "../../../address.ts";
import { useRead } from "../../../agent/read.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { session } from "../../../agent/session.ts";
import { PlanPlot } from "../../../charts/plan-plot.tsx";
import { nowMs } from "../../../clock.ts";
import { buyerName, change, count, day, flight, money, moment, plain, priceText } from "../../../form.ts";
import { roundMoney, share, shortCount, spoken } from "../../../form.ts";
import { Card, Chip, Facts, Figure, Figures, TheyWrote } from "../../../parts/bits.tsx";
import { Copyable, CopyId } from "../../../parts/copy.tsx";
import { Shown } from "../../../parts/states.tsx";
import { Table } from "../../../parts/table.tsx";
import { dealStanding, dealTypeWords, toneOf, wordOf } from "../../../words.ts";
import { FromListToPaid } from "../from-list-to-paid.tsx";
import { Life } from "./life.tsx";
import { DealMoves, type DealMovesProps, isToActivate } from "./moves.tsx";
import { type DeliveryFigures, paceOf, type DealPace } from "./pace.ts";

type Deal = OutputOf<typeof seller.getDeal>;

/** A deal that waits for a decision has no other moves. */
const Next = ({ deal, again }: DealMovesProps) => {
  const id = deal.status === "proposed" && typeof deal["approval_id"] === "string" ? deal["approval_id"] : null;
  const read = useRead(seller.getApproval, id === null ? null : { approval_id: id }, ["approval."]);
  if (id === null || (read.output !== null && read.output.request.status !== "pending")) {
    return <DealMoves deal={deal} again={again} />;
  }
  return (
    <p>
      It waits for a person. <a href={screenOf("approvals", id)}>Decide it</a>
    </p>
  );
};

const Terms = ({ deal }: { readonly deal: Deal }) => (
  <Card title="Terms" note={(deal.changes_waiting ?? []).length === 0 ? "as agreed" : "a change waits"}>
    <Facts
      rows={[
        { name: "Buyer", value: buyerName(deal.buyer_name, deal.buyer) },
        { name: "Type", value: wordOf(dealTypeWords, deal.deal_type) },
        { name: "Volume", value: `${count(deal.terms.impressions)} impressions` },
        { name: "Flight", value: flight(deal.terms.flight_start, deal.terms.flight_end) },
        { name: "In all", value: money(deal.total_cost, deal.pricing.currency) },
        { name: "Guaranteed", value: deal.terms.guaranteed ? "yes" : "no" },
        { name: "Tier", value: deal.buyer_tier },
        { name: "Booked", value: moment(deal.created_at) },
        { name: "Quote", value: deal.quote_id, isCode: true },
      ]}
    />
    {typeof deal["terms_digest"] === "string" ? (
      <p class="notice ok spaced">
        They agreed to exactly this: <code>{plain(deal["terms_digest"], 90)}</code>
      </p>
    ) : null}
    {deal.notes == null || deal.notes === "" ? null : <TheyWrote text={deal.notes} />}
  </Card>
);

const planSentence = (deal: Deal, pace: DealPace): string =>
  `${count(pace.delivered)} of ${count(deal.terms.impressions)} impressions delivered, ` +
  `${count(pace.planned)} planned so far.`;

const DeliveryCard = ({ deal, delivered }: { readonly deal: Deal; readonly delivered: DeliveryFigures | null }) => {
  if (delivered === null || deal.terms.impressions == null) return null;
  const pace = paceOf(deal, delivered, nowMs.value);
  const { sources, delivered_clicks: clicks, delivered_spend: spend, currency } = delivered;
  return (
    <Card title="Delivery against plan" note="impressions so far, by day">
      {delivered.data_source === "none" ? (
        <p class="muted">Nothing was reported yet, by an ad server or an edge.</p>
      ) : null}
      <PlanPlot
        from={deal.terms.flight_start}
        to={deal.terms.flight_end ?? deal.terms.flight_start}
        booked={deal.terms.impressions}
        days={delivered.days}
        nowMs={nowMs.value}
        expected={pace.expected}
        sentence={planSentence(deal, pace)}
      />
      <p class="row muted small">
        {pace.lately === null ? null : (
          <span>
            Last 7 days <b>{count(pace.lately)}</b> a day
          </span>
        )}
        {pace.needed === null ? null : (
          <span>
            Needed <b>{count(pace.needed)}</b> a day
          </span>
        )}
        {pace.expected === null ? null : (
          <span>
            At this pace <b>{count(pace.expected)}</b> at the end
          </span>
        )}
        {clicks == null ? null : <span>{count(clicks)} clicks</span>}
        {spend == null ? null : <span>{money(spend, currency)} spent</span>}
        {sources.map(({ source, impressions, last_date: last }) => (
          <span key={source}>
            {plain(source)} {count(impressions)}
            {last === null ? "" : `, until ${day(last)}`}
          </span>
        ))}
      </p>
    </Card>
  );
};

interface HeadProps {
  readonly deal: Deal;
  readonly pace: DealPace | null;
  readonly floor: number | null;
}

/** Five figures; what has not begun has no pace. */
const Five = ({ deal, pace, floor }: HeadProps) => {
  const { pricing, terms, total_cost: value } = deal;
  const under = terms.impressions == null ? null : ((pricing.base_cpm - pricing.final_cpm) * terms.impressions) / 1000;
  const behind = pace?.ahead ?? null;
  return (
    <div class="strip-card">
      <Figures>
        <Figure
          name="Value"
          value={roundMoney(value, pricing.currency)}
          note={under === null ? undefined : `${roundMoney(under, pricing.currency)} under list`}
        />
        <Figure
          name="Paid CPM"
          value={priceText(pricing.final_cpm, pricing.currency)}
          note={floor === null ? undefined : `${priceText(pricing.final_cpm - floor, pricing.currency)} above floor`}
        />
        <Figure
          name="Delivered"
          value={count(pace?.delivered ?? 0)}
          note={pace === null ? undefined : `${share(pace.part)} of ${shortCount(terms.impressions)}`}
        />
        <Figure
          name="Pace"
          value={behind === null || pace === null || pace.planned === 0 ? "none yet" : change(behind / pace.planned)}
          note={behind === null ? undefined : `${count(Math.abs(behind))} ${behind < 0 ? "behind" : "ahead of"} plan`}
        />
        <Figure
          name="Left"
          value={pace === null ? "none" : pace.isOver ? "over" : `${pace.daysLeft} days`}
          note={pace === null ? undefined : `${count(pace.toDeliver)} to deliver`}
        />
      </Figures>
    </div>
  );
};

/** Behind by more than this is said in the title's chips. */
const patience = 0.05;

const shortOf = (expected: number, booked: number): string => {
  const off = Math.round((expected / booked - 1) * 100);
  if (off === 0) return "should end as planned";
  return off < 0 ? `should end ${-off} % short` : `should end ${off} % over`;
};

const runsOf = ({ ahead, planned, expected }: DealPace, booked: number): string | null => {
  if (ahead === null || planned === 0) return null;
  const off = `${Math.abs((ahead / planned) * 100).toFixed(1)} %`;
  const ends = expected === null ? "" : ` and ${shortOf(expected, booked)}`;
  return `It runs ${off} ${ahead < 0 ? "behind" : "ahead"}${ends}.`;
};

const sentenceOf = ({ terms, pricing, status }: Deal, pace: DealPace | null): string => {
  const days = flight(terms.flight_start, terms.flight_end);
  const runs = status === "active" && pace !== null ? runsOf(pace, terms.impressions ?? 0) : null;
  const each = priceText(pricing.final_cpm, pricing.currency);
  const what = `${shortCount(terms.impressions)} impressions at ${each}, ${days}.`;
  return runs === null ? what : `${what} ${runs}`;
};

/** Of a deal that is over there is nothing to set up. */
const Activation = ({ deal }: { readonly deal: Deal }) =>
  deal.status === "proposed" || deal.status === "active" ? (
    <details class="card">
      <summary>Activation in a buying platform</summary>
      {Object.entries(deal.activation_instructions).map(([platform, text]) => (
        <Copyable key={platform} name={plain(platform)} text={plain(text, 2000)} />
      ))}
      <Copyable name="OpenRTB" text={plain(JSON.stringify(deal.openrtb_params), 4000)} />
    </details>
  ) : null;

type Record_ = OutputOf<typeof seller.listAudit>["records"][number];

/** Who wrote which field, the newest first. */
const Audit = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.listAudit, { record_id: id, limit: 100 }, ["deal."], false);
  const records = read.output?.records ?? [];
  return (
    <details class="card">
      <summary>
        Audit <span class="muted small">{count(records.length)} entries</span>
      </summary>
      <Table<Record_>
        caption="Audit of this deal"
        rows={records}
        idOf={(record) => record.hash}
        columns={[
          { name: "When", isLead: true, cell: (record) => moment(record.at) },
          { name: "Who", cell: (record) => plain(record.actor_name ?? record.actor) },
          { name: "What", cell: (record) => wordOf({}, plain(record.operation)) },
          {
            name: "Changed",
            cell: (record) =>
              record.changed
                .map(
                  ({ field, from, to }) =>
                    `${wordOf({}, plain(field))} ${plain(String(from ?? "none"))} → ${plain(String(to ?? "none"))}`,
                )
                .join(", "),
          },
        ]}
      />
      <a href={`${screenOf("audit")}?record_id=${encodeURIComponent(id)}`}>All of it</a>
    </details>
  );
};

const Chips = ({ deal, pace }: { readonly deal: Deal; readonly pace: DealPace | null }) => (
  <p class="chips">
    <Chip tone={toneOf(deal.status)}>{dealStanding(deal)}</Chip>
    {pace?.ahead != null && pace.planned > 0 && pace.ahead / pace.planned < -patience ? (
      <Chip tone="warn">Behind plan</Chip>
    ) : null}
    <Chip>{plain(deal.deal_type)}</Chip>
    <Chip>{plain(deal.buyer_tier)} tier</Chip>
    {session.value?.sandbox === true ? <Chip>Sandbox</Chip> : null}
  </p>
);

const Body = ({ deal, again }: DealMovesProps) => {
  const days = { start_date: deal.terms.flight_start, end_date: deal.terms.flight_end };
  const delivery = useRead(seller.getDelivery, { deal_id: deal.deal_id, ...days }, ["deal."]);
  const product = useRead(seller.getProduct, { product_id: deal.product.product_id }, ["product."], false);
  const delivered = delivery.output;
  const isRun = deal.status === "active" || deal.status === "completed";
  const pace = delivered === null || !isRun ? null : paceOf(deal, delivered, nowMs.value);
  const floor = product.output?.floor_cpm ?? null;
  return (
    <>
      <div class="page deal-page">
        <header class="page-head">
          <p class="row small">
            <a href={screenOf("deals")}>Deals</a> / <CopyId id={deal.deal_id} />
          </p>
          <Chips deal={deal} pace={pace} />
          <h1 tabIndex={-1}>
            {buyerName(deal.buyer_name, deal.buyer)} buys {plain(deal.product.name)}
          </h1>
          <p class="sentence">{sentenceOf(deal, pace)}</p>
          {isToActivate(deal) ? null : <p class="muted">{spoken(deal.status_text, 300)}</p>}
        </header>
        <Five deal={deal} pace={pace} floor={floor} />
        <div class="two-thirds">
          <div>
            <DeliveryCard deal={deal} delivered={delivered} />
            <Life deal={deal} />
          </div>
          <div>
            <FromListToPaid pricing={deal.pricing} floor={floor} />
            <Terms deal={deal} />
          </div>
        </div>
        <Activation deal={deal} />
        <Audit id={deal.deal_id} />
      </div>
      <footer class="decide deal-foot">
        <Next deal={deal} again={again} />
      </footer>
    </>
  );
};

export const DealPage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getDeal, { deal_id: id }, ["deal.", "change_request.", "order."]);
  return (
    <>
      {read.output === null ? (
        <div class="page">
          <a href={screenOf("deals")}>All deals</a>
          <h1 tabIndex={-1}>Deal</h1>
          <Shown read={read}>{() => null}</Shown>
        </div>
      ) : (
        <Body deal={read.output} again={read.again} />
      )}
    </>
  );
};
