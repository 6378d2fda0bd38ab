import { screenOf } from "../../../address.ts";
import { PriceCurve, type Point } from "../../../charts/price-curve.tsx";
import { type Mark, Ruler } from "../../../charts/ruler.tsx";
import { change, count, day, flight, moment, money, moneyOf, plain, roundMoney, shortCount } from "../../../form.ts";
import { Card, Facts, Figure, Figures, TheyWrote } from "../../../parts/bits.tsx";
import { Table } from "../../../parts/table.tsx";
import { statusWords, wordOf } from "../../../words.ts";
import { type Brief, buyerOf } from "./brief-words.ts";

type Round = Brief["rounds"][number];

const markOf = (name: string, at: number | null, currency: string | null): Mark | null =>
  at === null ? null : { name, at, text: money(at, currency) };

const bandOf = ({ floor, computed }: Brief["prices"]): readonly [number, number] | null =>
  floor === null || computed === null || computed < floor ? null : [floor, computed];

const Worth = ({ brief }: { readonly brief: Brief }) => {
  const { prices, value, impressions, currency } = brief;
  const { floor, would, computed, list } = prices;
  const underList =
    list === null || would === null || impressions === null ? null : ((list - would) * impressions) / 1000;
  const hasFloor = floor !== null && would !== null && floor > 0;
  const hasRate = computed !== null && would !== null && computed > 0;
  return (
    <Figures>
      <Figure
        name="Value"
        value={roundMoney(value, currency)}
        note={
          underList === null
            ? undefined
            : `${roundMoney(Math.abs(underList), currency)} ${underList < 0 ? "over" : "under"} list`
        }
      />
      {hasFloor ? (
        <Figure
          name={would < floor ? "Below floor" : "Above floor"}
          value={change((would - floor) / floor)}
          note={`${money(Math.abs(would - floor), currency)} a thousand`}
        />
      ) : null}
      {hasRate ? (
        <Figure
          name="Against their rate"
          value={change((would - computed) / computed)}
          note={`${money(computed, currency)} for this buyer`}
        />
      ) : null}
      {impressions === null ? null : <Figure name="Volume" value={shortCount(impressions)} note="impressions" />}
    </Figures>
  );
};

/** Where the price stands, and what it is worth. */
export const Standing = ({ brief, counter }: { readonly brief: Brief; readonly counter: number | null }) => {
  const { prices, currency, flow_type: flow } = brief;
  const fixed = [
    markOf("Floor", prices.floor, currency),
    markOf("Their rate", prices.computed, currency),
    markOf("List", prices.list, currency),
  ].filter((mark) => mark !== null);
  const answer = prices.would === prices.offer ? null : prices.would;
  return (
    <Card>
      <Ruler
        fixed={fixed}
        theirs={markOf(flow === "deal" ? "Booked at" : "Their offer", prices.offer, currency)}
        ours={markOf(counter === null ? "Our answer" : "Your counter", counter ?? answer, currency)}
        band={bandOf(prices)}
      />
      <Worth brief={brief} />
    </Card>
  );
};

/** Of a media buy: one decision takes or refuses all of them. */
export const Packages = ({
  packages,
  currency,
}: {
  readonly packages: NonNullable<Brief["packages"]>;
  readonly currency: string | null;
}) => (
  <Card title="Packages" note="One decision for all of them">
    <Table<NonNullable<Brief["packages"]>[number]>
      caption="Packages"
      rows={packages}
      idOf={({ product_id: id, deal_type: type, budget }) => `${id} ${type} ${budget}`}
      columns={[
        { name: "Product", isLead: true, cell: ({ name }) => plain(name) },
        { name: "Type", cell: ({ deal_type: type }) => plain(type) },
        { name: "Price", isNumber: true, cell: ({ price }) => money(price, currency) },
        { name: "Budget", isNumber: true, cell: ({ budget }) => roundMoney(budget, currency) },
        { name: "Impressions", isNumber: true, cell: ({ impressions }) => count(impressions) },
      ]}
    />
  </Card>
);

const pointsOf = (brief: Brief): readonly Point[] => {
  const first: readonly Point[] =
    brief.prices.computed === null ? [] : [{ name: "Quote", us: brief.prices.computed, them: null }];
  const rounds = brief.rounds.map((round) => ({
    name: String(round.round_number),
    us: round.seller_price,
    them: round.buyer_price,
  }));
  return [...first, ...rounds];
};

const RoundTable = ({ brief }: { readonly brief: Brief }) => (
  <details>
    <summary>Figures by round</summary>
    <Table<Round>
      caption="Prices by round"
      rows={brief.rounds}
      idOf={(round) => String(round.round_number)}
      columns={[
        { name: "Round", cell: (round) => round.round_number },
        { name: "They", isNumber: true, cell: (round) => money(round.buyer_price, brief.currency) },
        { name: "You", isNumber: true, cell: (round) => money(round.seller_price, brief.currency) },
        { name: "Their words", cell: (round) => plain(round.buyer_rationale, 300) },
        { name: "Why you", cell: (round) => plain(round.rationale, 300) },
      ]}
    />
  </details>
);

/** How the price moved. */
export const Story = ({ brief }: { readonly brief: Brief }) => {
  if (brief.rounds.length === 0) return null;
  const { floor } = brief.prices;
  const words = brief.rounds.map((round) => round.buyer_rationale).findLast((text) => text != null);
  return (
    <Card
      title="How the price moved"
      note={
        <>
          <span class="legend us">You</span> <span class="legend them">Them</span>
        </>
      }
    >
      <PriceCurve
        points={pointsOf(brief)}
        floor={floor === null ? null : { name: "Floor", at: floor }}
        text={(price) => money(price, brief.currency)}
      />
      <RoundTable brief={brief} />
      {words == null ? null : <TheyWrote text={words} />}
    </Card>
  );
};

const daysIn = (start: string, end: string): number =>
  Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000) + 1;

const paceOf = ({ impressions, flight_start: start, flight_end: end }: Brief): string | null => {
  if (impressions === null || start === null || end === null) return null;
  const days = daysIn(start, end);
  return days > 0 ? `${shortCount(impressions / days)} a day for ${count(days)} days` : null;
};

const inventoryWords = ({ inventory }: Brief): string | null => {
  if (inventory === null || inventory.cap === null) return null;
  const { left_before: before, left_after: after, cap } = inventory;
  const fullest = inventory.busiest_day === null ? "any day" : day(inventory.busiest_day);
  const open = `${shortCount(before)} of ${shortCount(cap)} open on ${fullest}, ${shortCount(after)} after this`;
  return `${open}. A deal takes its whole volume on each day that it runs, not a share a day.`;
};

const standingDeals = ({ count: all, lost, standing_values: values }: Brief["buyer"]["deals"]): string =>
  all === lost ? "none" : `${all - lost}, ${moneyOf(values)}`;

type KeyRequest = NonNullable<Brief["key_request"]>;

const claimRow = (name: string, id: string | null, said: string | null) =>
  id === null ? null : { name, value: said === null ? `“${plain(id)}”` : `“${plain(id)}”, “${plain(said)}”` };

const holderText = ({ holders }: KeyRequest): string =>
  holders.length === 0
    ? "nobody yet"
    : holders
        .map((one) => `${plain(one.buyer)}: ${count(one.active_keys)} active, newest ${plain(one.newest_key)}`)
        .join("; ");

/** What a key claims, who asked for it, and who holds that already. */
export const Claims = ({ request }: { readonly request: KeyRequest }) => (
  <Card title="What it claims" note="Nothing of it is proven">
    <Facts
      rows={[
        claimRow("Advertiser", request.advertiser_id, request.advertiser_name),
        claimRow("Agency", request.agency_id, request.agency_name),
        claimRow("Seat", request.seat_id, request.seat_name),
        claimRow("Label", request.label, null),
        { name: "Asked by", value: request.asked_by_buyer ?? request.asked_by ?? "not kept" },
        request.asked_from === null ? null : { name: "From", value: request.asked_from, isCode: true },
        { name: "Held by", value: holderText(request) },
        { name: "Becomes", value: request.becomes, isCode: true },
      ]}
    />
  </Card>
);

/** Who asks, for what, and when. */
export const Who = ({ brief }: { readonly brief: Brief }) => {
  const { buyer, impressions, flight_start: start, flight_end: end } = brief;
  const row = (name: string, value: string | null) => (value === null ? null : { name, value });
  return (
    <Card title="Who, what and when">
      <Facts
        rows={[
          { name: "Buyer", value: buyerOf(brief) },
          { name: "Known as", value: buyer.owner, isCode: true },
          { name: "Identity", value: buyer.verified ? "verified" : "claimed, not verified" },
          row("Tier", buyer.tier),
          row("Because", buyer.tier_reason),
          row("Trust", buyer.trust_status === null ? null : wordOf({}, buyer.trust_status)),
          {
            name: "Deals so far",
            value: standingDeals(buyer.deals),
          },
          row("Agent", buyer.agent_url),
          row("Volume", impressions === null ? null : `${count(impressions)} impressions`),
          row("Flight", start === null ? null : flight(start, end)),
          row("Pace", paceOf(brief)),
          row("Inventory", inventoryWords(brief)),
          { name: "Answer by", value: moment(brief.expires_at) },
        ]}
      />
    </Card>
  );
};

/** What each decision leads to. */
export const Effect = ({ brief }: { readonly brief: Brief }) => {
  const { approve, reject, counter } = brief.outcomes;
  const between =
    counter?.min == null || counter.max == null
      ? null
      : `A price of yours between ${money(counter.min, brief.currency)} and ${money(counter.max, brief.currency)}.`;
  return (
    <Card title="What happens">
      <Facts
        rows={[
          { name: "Approve", value: approve },
          between === null ? null : { name: "Counter", value: between },
          { name: "Reject", value: reject },
        ]}
      />
    </Card>
  );
};

/** What this buyer paid for this product before. */
export const Before = ({ brief }: { readonly brief: Brief }) =>
  brief.similar.length === 0 ? null : (
    <Card title="Its last prices here">
      <Table
        caption="Earlier deals of this buyer for this product"
        rows={brief.similar}
        idOf={({ deal_id: id }) => id}
        link={({ deal_id: id }) => screenOf("deals", id)}
        columns={[
          { name: "Booked", cell: ({ booked_at: at }) => day(at) },
          { name: "CPM", isNumber: true, cell: ({ price }) => money(price, brief.currency) },
          { name: "Volume", isNumber: true, cell: ({ impressions }) => shortCount(impressions) },
          { name: "Status", cell: ({ status }) => wordOf(statusWords, status) },
        ]}
      />
    </Card>
  );
