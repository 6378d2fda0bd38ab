import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { screenOf } from "../../../address.ts";
import { call, type OutputOf } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { canWrite, session } from "../../../agent/session.ts";
import { wholeCount } from "../../../amount.ts";
import { announce } from "../../../announce.ts";
import { buyerName, count, moment, money, plain, priceText } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Field, Select } from "../../../parts/field.tsx";

export interface DealMovesProps {
  readonly deal: OutputOf<typeof seller.getDeal>;
  readonly again: () => void;
}

/** What the page of such a deal says is said by its moves. */
export const isToActivate = ({ status, awaiting_approval: isWaiting }: DealMovesProps["deal"]): boolean =>
  status === "proposed" && isWaiting !== true;

type Raised = OutputOf<typeof seller.cancelDeal>;

/**
 * What the seller asks for itself, it also approves and writes: in one sheet, with an entry each in the audit. Where a
 * step is refused, the change waits on its own page as any other.
 */
const useCarriedOut = (again: () => void) => {
  const { route } = useLocation();
  return async (made: Raised): Promise<void> => {
    const cr_id = made.change_request_id;
    const reviewed = await call(seller.reviewChangeRequest, { cr_id, decision: "approve" });
    const applied = reviewed.ok ? await call(seller.applyChangeRequest, { cr_id }) : reviewed;
    const isDone = applied.ok || made.status === "approved" || made.status === "applied";
    again();
    if (isDone) announce("The change is written.");
    else route(screenOf("changes", cr_id));
  };
};

const isSenior = (): boolean => session.value?.role === "senior";

const consents = ["The buyer agreed", "Our terms allow it"] as const;

type Consent = (typeof consents)[number];

const reasonOf = (consent: Consent, words: string): string =>
  words.trim() === "" ? `${consent}.` : `${consent}. ${words.trim()}`;

const About = ({ deal }: Pick<DealMovesProps, "deal">) => (
  <>
    {buyerName(deal.buyer_name, deal.buyer)}: {plain(deal.product.name)},{" "}
    {money(deal.total_cost, deal.pricing.currency)}.
  </>
);

interface WhyProps {
  readonly consent: Consent;
  readonly setConsent: (consent: Consent) => void;
  readonly words: string;
  readonly setWords: (words: string) => void;
}

const Why = ({ consent, setConsent, words, setWords }: WhyProps) => (
  <>
    <Select label="On what ground" value={consent} values={consents} onChange={setConsent} />
    <Field label="Reason, the buyer may read it (optional)" value={words} onInput={setWords} maxLength={400} />
  </>
);

const CancelDeal = ({ deal, again }: DealMovesProps) => {
  const { route } = useLocation();
  const [reason, setReason] = useState("");
  const carryOut = useCarriedOut(again);
  return (
    <Act
      op={seller.cancelDeal}
      input={{ deal_id: deal.deal_id, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) }}
      label="Cancel the deal"
      tone="danger"
      verb={isSenior() ? "Yes, cancel it" : "Go on to the cancellation"}
      question={
        <>
          <About deal={deal} />{" "}
          {isSenior()
            ? "It ends for good, its orders with it, and the impressions are free again. This cannot be taken back."
            : "The deal stays as it is until a senior operator approves the cancellation and applies it."}
        </>
      }
      after={(made) => (isSenior() ? void carryOut(made) : route(screenOf("changes", made.change_request_id)))}
    >
      <Field label="Reason, the buyer may read it (optional)" value={reason} onInput={setReason} maxLength={500} />
    </Act>
  );
};

const Reschedule = ({ deal, again }: DealMovesProps) => {
  const { flight_start: start, flight_end: end } = deal.terms;
  const [days, setDays] = useState({ start, end: end ?? start });
  const [consent, setConsent] = useState<Consent>(consents[0]);
  const [words, setWords] = useState("");
  const carryOut = useCarriedOut(again);
  const isSame = days.start === start && days.end === (end ?? start);
  const isReversed = days.end < days.start;
  return (
    <Act
      op={seller.rescheduleDeal}
      input={
        isSame || isReversed
          ? null
          : {
              deal_id: deal.deal_id,
              flight_start: days.start,
              flight_end: days.end,
              reason: reasonOf(consent, words),
            }
      }
      missing={isReversed ? "The last day lies before the first." : "Choose other days."}
      label="Reschedule"
      verb="Yes, move the flight"
      question={
        <>
          <About deal={deal} /> The flight moves, price and volume stay; the buyer is told.
        </>
      }
      after={(made) => void carryOut(made)}
    >
      <div class="pair">
        <Field label="First day" type="date" value={days.start} onInput={(text) => setDays({ ...days, start: text })} />
        <Field label="Last day" type="date" value={days.end} onInput={(text) => setDays({ ...days, end: text })} />
      </div>
      <Why consent={consent} setConsent={setConsent} words={words} setWords={setWords} />
    </Act>
  );
};

const ChangeVolume = ({ deal, again }: DealMovesProps) => {
  const before = deal.terms.impressions ?? 0;
  const [text, setText] = useState(String(before));
  const [consent, setConsent] = useState<Consent>(consents[0]);
  const [words, setWords] = useState("");
  const carryOut = useCarriedOut(again);
  const volume = wholeCount(text);
  const isChanged = volume !== null && volume > 0 && volume !== before;
  const fresh = volume === null ? "?" : count(volume);
  const cost = volume === null ? null : (volume * deal.pricing.final_cpm) / 1000;
  return (
    <Act
      op={seller.changeDeal}
      input={isChanged ? { deal_id: deal.deal_id, impressions: volume, reason: reasonOf(consent, words) } : null}
      missing="Write another whole number of impressions."
      label="Change the volume"
      verb="Yes, change it"
      question={
        <>
          <About deal={deal} /> {count(before)} impressions → {fresh}, at the same price{" "}
          {money(cost, deal.pricing.currency)} in all.
        </>
      }
      after={(made) => void carryOut(made)}
    >
      <Field label="Impressions" value={text} onInput={setText} maxLength={18} />
      <Why consent={consent} setConsent={setConsent} words={words} setWords={setWords} />
    </Act>
  );
};

const Asked = ({ deal }: Pick<DealMovesProps, "deal">) => (
  <>
    {(deal.changes_waiting ?? []).map(({ change_request_id: id, change_type: type }) => (
      <span key={id}>
        {type === "cancellation" ? "A cancellation is asked for." : "A change is asked for."}{" "}
        <a href={screenOf("changes", id)}>Decide it</a>
      </span>
    ))}
  </>
);

const Activate = ({ deal, again }: DealMovesProps) => {
  const [reason, setReason] = useState("");
  const terms = `${plain(deal.product.name)}, ${count(deal.terms.impressions)} impressions at ${priceText(
    deal.pricing.final_cpm,
    deal.pricing.currency,
  )}.`;
  const move = (to: "active" | "rejected", why = "") => ({
    op: seller.transitionDeal,
    input: { deal_id: deal.deal_id, to_status: to, ...(why === "" ? {} : { reason: why }) },
    revisionOf: () => deal.revision,
    again,
    after: again,
  });
  return (
    <>
      <Act
        {...move("active")}
        label="Activate"
        look="primary"
        question={`${terms} It becomes active and may deliver. Only a cancellation takes that back.`}
      />
      <Act
        {...move("rejected", reason.trim())}
        label="Reject"
        tone="danger"
        question={`${terms} It is rejected and gives its impressions back. This cannot be taken back.`}
      >
        <Field label="Reason, the buyer may read it (optional)" value={reason} onInput={setReason} maxLength={500} />
      </Act>
    </>
  );
};

/** Activate or reject a booked deal, and until when; move, change or cancel an active one. */
export const DealMoves = ({ deal, again }: DealMovesProps) => {
  if (deal.status !== "active" && deal.status !== "proposed") return null;
  const isCancelling = deal.changes_waiting?.some(({ change_type: type }) => type === "cancellation") === true;
  return (
    <>
      {deal.status === "proposed" ? (
        <p>
          To activate. {canWrite() ? "Click Activate" : "An operator activates it"} before {moment(deal.expires_at)}, or
          it expires and nothing is sold.
        </p>
      ) : null}
      <p class="row">
        {deal.status === "proposed" ? <Activate deal={deal} again={again} /> : null}
        <Asked deal={deal} />
        {deal.status === "active" && !isCancelling ? (
          <>
            <Reschedule deal={deal} again={again} />
            <ChangeVolume deal={deal} again={again} />
            <CancelDeal deal={deal} again={again} />
          </>
        ) : null}
      </p>
    </>
  );
};
