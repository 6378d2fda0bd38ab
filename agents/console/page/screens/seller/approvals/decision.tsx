import { useState } from "preact/hooks";
import { isReached, type OutputOf } from "../../../agent/api.ts";
import { screenOf } from "../../../address.ts";
import { nowMs } from "../../../clock.ts";
import { ago, left, money, plain, spoken } from "../../../form.ts";
import { useKeys } from "../../../keys.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { Chip, Key, TheyWrote, type Tone } from "../../../parts/bits.tsx";
import { Shown } from "../../../parts/states.tsx";
import { useRead } from "../../../agent/read.ts";
import { canWrite, session } from "../../../agent/session.ts";
import { decisionWords, flowWords, statusWords, wordOf } from "../../../words.ts";
import { DealMoves, isToActivate } from "../deals/moves.tsx";
import { type Brief, type Choice, headlineOf, sentenceOf } from "./brief-words.ts";
import { Before, Claims, Effect, Packages, Standing, Story, Who } from "./evidence.tsx";
import { DecisionSheet, type Opened } from "./sheet.tsx";

const hourMs = 3_600_000;

const urgency = (expiresAt: string): Tone => {
  const ms = Date.parse(expiresAt) - nowMs.value;
  if (ms < hourMs / 4) return "bad";
  return ms < 2 * hourMs ? "warn" : "quiet";
};

const Chips = ({ brief }: { readonly brief: Brief }) => (
  <p class="chips">
    <Chip tone="accent">{wordOf(flowWords, brief.flow_type)}</Chip>
    {brief.deal_type === null ? null : <Chip>{plain(brief.deal_type)}</Chip>}
    <Chip>{brief.buyer.tier === null ? "no tier" : `${brief.buyer.tier} tier`}</Chip>
    {brief.preferred ? <Chip tone="accent">Preferred</Chip> : null}
    {brief.status === "pending" ? (
      <Chip tone={urgency(brief.expires_at)}>{left(brief.expires_at, nowMs.value)}</Chip>
    ) : (
      <Chip>{wordOf(statusWords, brief.status)}</Chip>
    )}
    {session.value?.sandbox === true ? <Chip>Sandbox</Chip> : null}
  </p>
);

const askedFor = (type: string): string => (type === "cancellation" ? "a cancellation" : `another ${wordOf({}, type)}`);

/** What the buyer asked for since it booked: to approve the booking alone would not answer it. */
const AskedMeanwhile = ({ brief }: { readonly brief: Brief }) => (
  <>
    {brief.changes_waiting.map(({ change_request_id: id, change_type: type, reason }) => (
      <div key={id} class="notice warn" role="note">
        <p>
          The buyer has since asked for {askedFor(type)}. <a href={screenOf("changes", id)}>Decide that first</a>
        </p>
        {reason === "" ? null : <TheyWrote text={reason} />}
      </div>
    ))}
  </>
);

const choicesOf = (brief: Brief): readonly Choice[] =>
  brief.outcomes.counter === null ? ["approve", "reject"] : ["approve", "counter", "reject"];

const labels = { approve: "Approve", counter: "Counter", reject: "Reject" } as const;
const styles = { approve: "primary", counter: "", reject: "danger-line" } as const;
const keyOf = { approve: "a", counter: "c", reject: "r" } as const;

const labelOf = (choice: Choice, { prices, currency }: Brief): string =>
  choice === "approve" && prices.would !== null ? `Approve at ${money(prices.would, currency)}` : labels[choice];

const Buttons = ({ brief, open }: { readonly brief: Brief; readonly open: (opened: Opened) => void }) => {
  const isOff = !isReached.value;
  const choices = choicesOf(brief);
  const begin = (choice: Choice): void => {
    if (isReached.value) open({ choice, brief, price: choice === "counter" ? brief.prices.would : null });
  };
  useKeys(Object.fromEntries(choices.map((choice) => [keyOf[choice], () => begin(choice)])));
  return (
    <div class="actions">
      {choices.map((choice) => (
        <button
          key={choice}
          type="button"
          class={`button ${brief.flow_type === "api_key" ? "" : styles[choice]}`}
          disabled={isOff}
          onClick={() => begin(choice)}
        >
          {labelOf(choice, brief)} <Key name={keyOf[choice]} />
        </button>
      ))}
      <span class="muted small hint">Nothing is sent before you confirm</span>
    </div>
  );
};

type Request = OutputOf<typeof seller.getApproval>["request"];

/** What an approval led to, and the move that is left to do there. */
const Led = ({ brief, request }: { readonly brief: Brief; readonly request: Request }) => {
  const { deal_id: dealId } = request;
  const read = useRead(seller.getDeal, dealId === "" ? null : { deal_id: dealId }, ["deal."]);
  if (brief.flow_type === "api_key") {
    return <a href={`${screenOf("buyers")}?q=${encodeURIComponent(brief.buyer.name ?? "")}`}>The buyer</a>;
  }
  if (brief.flow_type === "media_buy") return <a href={screenOf("media-buys", brief.flow_id)}>The media buy</a>;
  if (dealId === "") {
    const talk = request.proposal_id === "" ? request.context["quote_id"] : request.proposal_id;
    return <a href={screenOf("negotiations", typeof talk === "string" ? talk : undefined)}>The price talk</a>;
  }
  return (
    <Shown read={read} lines={1}>
      {(deal) => (
        <>
          {isToActivate(deal) ? null : <p>{spoken(deal.status_text, 300)}</p>}
          <p class="row">
            <a href={screenOf("deals", dealId)}>The deal</a>
          </p>
          <DealMoves deal={deal} again={read.again} />
        </>
      )}
    </Shown>
  );
};

/** Who decided, and whether something of ours was sent. */
const Decided = ({ brief, isOurs }: { readonly brief: Brief; readonly isOurs: boolean }) => {
  const { approval_id: id } = brief;
  const read = useRead(seller.getApproval, { approval_id: id }, ["approval."]);
  return (
    <Shown read={read} lines={1}>
      {({ request, response }) => {
        if (response === null)
          return <p class="notice">{wordOf(statusWords, request.status)}. Nothing can be decided.</p>;
        const what = `${wordOf(decisionWords, response.decision)} this ${ago(response.decided_at, nowMs.value)}.`;
        return (
          <div class="notice ok" role="status">
            <p>{isOurs ? `You ${what}` : `${plain(response.decided_by)} ${what} Nothing of yours was sent.`}</p>
            {response.reason === "" ? null : <p class="small">Reason: {plain(response.reason, 500)}</p>}
            {response.decision === "approve" ? <Led brief={brief} request={request} /> : null}
          </div>
        );
      }}
    </Shown>
  );
};

interface FootProps {
  readonly brief: Brief;
  readonly opened: Opened | null;
  readonly set: (opened: Opened | null) => void;
  readonly again: () => void;
}

const Foot = ({ brief, opened, set, again }: FootProps) => {
  const [isOurs, setOurs] = useState(false);
  if (brief.status !== "pending") return <Decided brief={brief} isOurs={isOurs} />;
  if (!canWrite()) return <p class="notice">Look only: deciding needs an operator's key.</p>;
  const open = (next: Opened): void => {
    set(next);
    // What changed since it was last read is marked before the second press.
    again();
  };
  if (opened === null) return <Buttons brief={brief} open={open} />;
  const done = (): void => {
    setOurs(true);
    set(null);
    again();
  };
  return <DecisionSheet opened={opened} now={brief} set={set} again={again} done={done} />;
};

export const Decision = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getApprovalBrief, { approval_id: id }, [
    "approval.",
    "negotiation.",
    "proposal.",
    "deal.",
  ]);
  const [opened, setOpened] = useState<Opened | null>(null);
  const counter = opened?.choice === "counter" ? opened.price : null;
  return (
    <article class="detail">
      <a class="back" href="/console/approvals">
        All approvals
      </a>
      {read.output === null ? (
        <h1 class="unseen" tabIndex={-1}>
          Approval
        </h1>
      ) : null}
      <Shown read={read} lines={8}>
        {(brief) => (
          <>
            <div class="scroll">
              <Chips brief={brief} />
              <h1 tabIndex={-1}>{headlineOf(brief)}</h1>
              <p class="sentence">{sentenceOf(brief)}</p>
              <AskedMeanwhile brief={brief} />
              {brief.packages === undefined ? null : <Packages packages={brief.packages} currency={brief.currency} />}
              {brief.flow_type === "api_key" || brief.packages !== undefined ? null : (
                <Standing brief={brief} counter={counter} />
              )}
              <div class="columns">
                <Story brief={brief} />
                {brief.key_request == null ? null : <Claims request={brief.key_request} />}
                <Who brief={brief} />
                <Before brief={brief} />
                <Effect brief={brief} />
              </div>
            </div>
            <footer class="decide">
              <Foot brief={brief} opened={opened} set={setOpened} again={read.again} />
            </footer>
          </>
        )}
      </Shown>
    </article>
  );
};
