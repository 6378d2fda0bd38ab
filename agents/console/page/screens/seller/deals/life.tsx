import type { OutputOf } from "../../../agent/api.ts";
import { useRead } from "../../../agent/read.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { buyerName, dayOfYear, plain, priceText, timeOf } from "../../../form.ts";
import { Card } from "../../../parts/bits.tsx";
import { Shown } from "../../../parts/states.tsx";
import { pageOf, sentenceOf } from "../../../sentences.ts";
import { dealStanding, statusWords, wordOf } from "../../../words.ts";

type Deal = OutputOf<typeof seller.getDeal>;
type Event = OutputOf<typeof seller.listEvents>["events"][number];
type Record_ = OutputOf<typeof seller.listAudit>["records"][number];

interface LifeStep {
  readonly at: string;
  readonly what: string;
  readonly detail: string;
  readonly who: string;
  readonly side: "us" | "them";
  readonly isPerson: boolean;
  readonly page: string | null;
}

/** What a buyer does; the rest is ours. */
const theirs: readonly string[] = ["quote.requested", "quote.booked", "deal.created", "order.created"];

const isTheirs = ({ event_type: type, payload }: Event): boolean =>
  theirs.includes(type) || (type === "change_request.created" && payload["requested_by"] === undefined);

const detailOf = ({ payload }: Event): string => {
  const amount = payload["buyer_price"] ?? payload["final_cpm"];
  const currency = typeof payload["currency"] === "string" ? payload["currency"] : null;
  const parts = [
    typeof amount === "number" ? priceText(amount, currency) : null,
    typeof payload["change_type"] === "string" ? wordOf({}, payload["change_type"]) : null,
    typeof payload["to_status"] === "string" ? wordOf(statusWords, payload["to_status"]).toLowerCase() : null,
    typeof payload["status_reason"] === "string" ? plain(payload["status_reason"], 120) : null,
  ];
  return parts.filter((part) => part !== null).join(", ");
};

/** What a person of ours may do; Parley does the rest by its rules. */
const byPeople: readonly string[] = [
  "deal.activated",
  "deal.rejected",
  "deal.changed",
  "approval.granted",
  "approval.denied",
  "change_request.approved",
  "change_request.rejected",
  "change_request.applied",
  "order.transitioned",
];

/** The audit names the person; an event of the same instant is the same deed. */
const deedOf = ({ event_type: type, timestamp }: Event, records: readonly Record_[]): Record_ | undefined =>
  byPeople.includes(type) ? records.find(({ at }) => at === timestamp) : undefined;

const stepOf = (event: Event, deal: Deal, records: readonly Record_[]): LifeStep => {
  const [what = ""] = sentenceOf({
    ...event,
    payload: { cancelled: event.payload["cancelled"] },
    product_name: null,
    buyer_name: null,
  }).split(":");
  const buyer = buyerName(deal.buyer_name, deal.buyer);
  if (isTheirs(event)) {
    const at = { at: event.timestamp, what, detail: detailOf(event), page: pageOf(event) };
    return { ...at, who: buyer, side: "them", isPerson: false };
  }
  const deed = deedOf(event, records);
  const isPerson = deed !== undefined && deed.door !== "timer";
  return {
    at: event.timestamp,
    what,
    detail: detailOf(event),
    who: isPerson ? plain(deed.actor_name ?? deed.actor) : "Parley",
    side: "us",
    isPerson,
    page: pageOf(event),
  };
};

const End = ({ deal }: { readonly deal: Deal }) => (
  <li class="step ahead">
    <span class="strong">{dayOfYear(deal.terms.flight_end)}</span>
    <span />
    <i />
    <span>
      <b>Ends</b> <span class="muted">the last day of the flight</span>
    </span>
    <span />
  </li>
);

const Steps = ({ steps, deal }: { readonly steps: readonly LifeStep[]; readonly deal: Deal }) => (
  <ol class="life">
    {steps.map(({ at, what, detail, who, side, isPerson, page }, index) => {
      const isNewDay = at.slice(0, 10) !== steps[index - 1]?.at.slice(0, 10);
      return (
        <li key={`${at}${index}`} class="step">
          <span class="strong">{isNewDay ? dayOfYear(at) : ""}</span>
          <span class="muted">{timeOf(at)}</span>
          <i class={`${side} ${isPerson ? "person" : "machine"}`} />
          <span>
            {page === null ? <b>{what}</b> : <a href={page}>{what}</a>} <span class="muted">{detail}</span>
          </span>
          <span class="muted">{who}</span>
        </li>
      );
    })}
    {deal.status === "active" || deal.status === "proposed" ? <End deal={deal} /> : null}
  </ol>
);

/** From its quote on, each step with who took it: a person is round, a machine square. */
export const Life = ({ deal }: { readonly deal: Deal }) => {
  const { deal_id: id } = deal;
  const read = useRead(seller.listEvents, { deal_id: id, limit: 200 }, [
    "deal.",
    "order.",
    "change_request.",
    "approval.",
  ]);
  const audit = useRead(seller.listAudit, { record_id: id, limit: 200 }, ["deal."], false);
  return (
    <Card
      title="Its life"
      note={
        <span class="life-key">
          <i class="us person" /> person <i class="us machine" /> machine <b class="ours">You</b>{" "}
          <b class="theirs-word">Them</b>
        </span>
      }
    >
      <Shown read={read}>
        {({ events }) =>
          events.length === 0 ? (
            <p class="muted">The events of this deal are no longer kept. It is {dealStanding(deal).toLowerCase()}.</p>
          ) : (
            <Steps
              deal={deal}
              steps={events.toReversed().map((event) => stepOf(event, deal, audit.output?.records ?? []))}
            />
          )
        }
      </Shown>
    </Card>
  );
};
