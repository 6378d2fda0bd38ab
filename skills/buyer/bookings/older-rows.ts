import type { BookingInstance, BookingState } from "../../../machines/booking/machine.ts";
import type { BookedLine, BookingRow, Finding, Offer, Recommendation } from "./record.ts";

/** What jobs had before negotiations, orders and cancellations: one running state, and the stage beside it. */
type OlderStage = "allocate" | "research" | "choose" | "approval" | "book" | "done";

type Lacking<T, Member extends keyof T> = Omit<T, Member> & Partial<Pick<T, Member>>;

interface OlderLife {
  readonly value: BookingState | "running";
  readonly context: BookingInstance["context"];
}

type OlderOffer<T extends Offer> = Lacking<T, "is_negotiable" | "bargain">;

type OlderFinding = Lacking<Finding, "seller_name" | "tier" | "products" | "took_ms" | "too_dear">;

type NewInLines =
  | "audience_plan_id"
  | "audience_match_summary"
  | "openrtb_params"
  | "activation"
  | "order"
  | "cancellation";

type NewInJobs = "bargains" | "replans" | "passed_over" | "order_errors" | "warnings" | "visits" | "traceparent";

interface OlderMembers {
  readonly stage?: OlderStage;
  readonly life: OlderLife;
  readonly brief: Lacking<BookingRow["brief"], "negotiation">;
}

type OlderBooking = Omit<Lacking<BookingRow, NewInJobs>, keyof OlderMembers> & OlderMembers;

const runningStates: Readonly<Partial<Record<OlderStage, BookingState>>> = {
  allocate: "allocating",
  research: "researching",
  choose: "choosing",
};

const stateOf = ({ stage, life }: OlderBooking): BookingState => {
  const { value, context } = life;
  if (value === "running") return runningStates[stage ?? "allocate"] ?? "allocating";
  return stage !== undefined && value === "awaiting_approval" && context.bookingStarted ? "booking" : value;
};

const wholeOffer = <T extends Offer>(offer: OlderOffer<T>): T =>
  ({ is_negotiable: false, bargain: null, ...offer }) as OlderOffer<T> as T;

const wholeFinding = (finding: OlderFinding): Finding => ({
  seller_name: null,
  tier: null,
  products: new Set(finding.offers.map((offer) => offer.product_id)).size,
  took_ms: 0,
  too_dear: [],
  ...finding,
  offers: finding.offers.map((offer) => wholeOffer<Offer>(offer)),
});

const wholeLine = (line: Lacking<BookedLine, NewInLines>): BookedLine => ({
  audience_plan_id: null,
  audience_match_summary: null,
  openrtb_params: null,
  activation: {},
  order: { state: "none", order_id: null },
  cancellation: null,
  ...line,
});

export const upgradedBooking = (row: BookingRow): BookingRow => {
  const older: OlderBooking = row;
  const { stage: _, ...members } = older;
  const state = stateOf(older);
  return {
    bargains: [],
    replans: 0,
    passed_over: [],
    order_errors: [],
    warnings: [],
    visits: [{ state, started_at_ms: older.updated_at_ms, ended_at_ms: null }],
    traceparent: null,
    ...members,
    brief: { negotiation: null, ...older.brief },
    life: { value: state, context: older.life.context },
    findings: older.findings.map(wholeFinding),
    recommendations: older.recommendations.map((one) => wholeOffer<Recommendation>(one)),
    booked_lines: older.booked_lines.map(wholeLine),
  };
};
