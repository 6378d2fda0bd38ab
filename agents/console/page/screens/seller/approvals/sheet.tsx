import { useEffect, useRef, useState } from "preact/hooks";
import { amountIn, unreadable } from "../../../amount.ts";
import { isReached } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { useTryAndSend } from "../../../agent/try-and-send.ts";
import { announce } from "../../../announce.ts";
import { money, plain, spoken } from "../../../form.ts";
import { useKeys } from "../../../keys.ts";
import { Key } from "../../../parts/bits.tsx";
import { Field } from "../../../parts/field.tsx";
import { decisionWords } from "../../../words.ts";
import { type Brief, changesBetween, type Choice, termsOf, wayBackOf } from "./brief-words.ts";

export interface Opened {
  readonly choice: Choice;
  /** As it was looked at. */
  readonly brief: Brief;
  readonly price: number | null;
}

interface SheetProps {
  readonly opened: Opened;
  readonly now: Brief;
  readonly set: (opened: Opened | null) => void;
  readonly again: () => void;
  readonly done: () => void;
}

const titles = { approve: "Approve?", counter: "Counter?", reject: "Reject?" } as const;
const effectOf = ({ choice }: Opened, now: Brief): string =>
  choice === "counter" ? "The buyer gets this as your answer." : plain(now.outcomes[choice], 300);

const verbs = { approve: "Yes, approve", counter: "Yes, counter", reject: "Yes, reject" } as const;

const readyReasons: readonly string[] = [
  "The price is below what we can accept.",
  "The inventory is held for another campaign.",
  "The flight does not fit our calendar.",
  "We cannot verify who is buying.",
];

const rounded = (price: number): number => Math.round(price * 100) / 100;

const CounterPrice = ({ opened, set: keep }: Pick<SheetProps, "opened" | "set">) => {
  const { counter } = opened.brief.outcomes;
  const { offer, last_ours: ours } = opened.brief.prices;
  const [text, setText] = useState(opened.price === null ? "" : opened.price.toFixed(2));
  const set = (next: string): void => {
    setText(next);
    // An earlier price must not be sent while the field shows something else.
    keep({ ...opened, price: amountIn(next) });
  };
  const currency = opened.brief.currency;
  const bounds =
    counter?.min == null || counter.max == null
      ? "A price per thousand"
      : `Between ${money(counter.min, currency)} and ${money(counter.max, currency)} per thousand`;
  // Half way to a price that was not asked before would be a step back.
  const upper = ours ?? counter?.max ?? null;
  const half = offer === null || upper === null || upper <= offer ? null : rounded((offer + upper) / 2);
  return (
    <div class="row end-aligned">
      <Field
        label={`Your price. ${bounds}`}
        value={text}
        onInput={set}
        error={unreadable(text)}
        autoFocus
        maxLength={12}
      />
      {half === null ? null : (
        <button type="button" class="button small" onClick={() => set(half.toFixed(2))}>
          Half way {money(half, currency)}
        </button>
      )}
      {ours === null ? null : (
        <button type="button" class="button small" onClick={() => set(ours.toFixed(2))}>
          Last ours {money(ours, currency)}
        </button>
      )}
    </div>
  );
};

interface ReasonProps {
  readonly choice: Choice;
  readonly reason: string;
  readonly set: (reason: string) => void;
}

const Reason = ({ choice, reason, set }: ReasonProps) => (
  <>
    <Field label="Reason, the buyer may read it (optional)" value={reason} onInput={set} maxLength={500} />
    {choice === "reject" ? (
      <div class="row wrap">
        {readyReasons.map((ready) => (
          <button key={ready} type="button" class="button small" onClick={() => set(ready)}>
            {ready}
          </button>
        ))}
      </div>
    ) : null}
  </>
);

const inputOf = ({ choice, brief, price }: Opened, reason: string) => ({
  approval_id: brief.approval_id,
  decision: choice,
  ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  ...(choice === "counter" && price !== null ? { modifications: { price } } : {}),
});

const Changed = ({ changes, accept }: { readonly changes: readonly string[]; readonly accept: () => void }) => (
  <div class="notice warn" role="alert">
    <p>Changed meanwhile: {changes.join(", ")}. Look at it again before you confirm.</p>
    <button type="button" class="button small" onClick={accept}>
      I have seen it
    </button>
  </div>
);

/** The second press: the terms in full, and the button that commits. */
export const DecisionSheet = ({ opened, now, set, again, done }: SheetProps) => {
  const { choice, brief } = opened;
  const confirm = useRef<HTMLButtonElement>(null);
  const [reason, setReason] = useState("");
  const hasField = choice === "counter";
  const { phase, failure, send } = useTryAndSend({
    op: seller.approveOrReject,
    input: hasField && opened.price === null ? null : inputOf(opened, reason),
    revisionOf: () => brief.revision,
    again,
    after: () => {
      announce(`You ${decisionWords[choice]} this.`);
      done();
    },
  });
  const changes = changesBetween(brief, now);
  const canSend = (phase === "ready" || phase === "unsure") && changes.length === 0 && isReached.value;
  useEffect(() => {
    if (!hasField && canSend && reason === "") confirm.current?.focus();
  }, [canSend, hasField]);
  const close = (): void => set(null);
  useKeys({ Escape: close });
  const price = hasField ? opened.price : now.prices.would;
  return (
    <form
      class="sheet"
      aria-label={titles[choice]}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) void send();
      }}
    >
      <p>
        <b>{titles[choice]}</b> {termsOf(now, price)} {effectOf(opened, now)} {wayBackOf(now, choice)}
      </p>
      {changes.length === 0 ? null : <Changed changes={changes} accept={() => set({ ...opened, brief: now })} />}
      {hasField ? <CounterPrice opened={opened} set={set} /> : null}
      <Reason choice={choice} reason={reason} set={setReason} />
      {failure === null ? null : (
        <p class="error" role="alert">
          {phase === "unsure" ? "No answer came. Sending again does it once, not twice." : spoken(failure.message, 400)}
        </p>
      )}
      <div class="row">
        <button
          ref={confirm}
          type="submit"
          class={`button ${choice === "reject" ? "danger" : "primary"}`}
          disabled={!canSend}
        >
          {phase === "unsure" ? "Send again" : verbs[choice]}
        </button>
        <button type="button" class="button quiet" onClick={close}>
          Not yet <Key name="Esc" />
        </button>
      </div>
    </form>
  );
};
