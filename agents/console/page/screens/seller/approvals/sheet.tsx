import { useEffect, useRef, useState } from "preact/hooks";
import { amountIn, unreadable } from "../../../amount.ts";
import { isReached } from "../../../agent/api.ts";
import { money, plain } from "../../../form.ts";
import { useKeys } from "../../../keys.ts";
import { Key } from "../../../parts/bits.tsx";
import { Field } from "../../../parts/field.tsx";
import { type Brief, changesBetween, termsOf } from "./brief-words.ts";
import type { DecisionState, Sheet } from "./use-decision.ts";

const titles = { approve: "Approve?", counter: "Counter?", reject: "Reject?" } as const;
const effectOf = ({ choice }: Sheet, now: Brief): string =>
  choice === "counter" ? "The buyer gets this as your answer." : plain(now.outcomes[choice], 300);

const verbs = { approve: "Yes, approve", counter: "Yes, counter", reject: "Yes, reject" } as const;

const readyReasons: readonly string[] = [
  "The price is below what we can accept.",
  "The inventory is held for another campaign.",
  "The flight does not fit our calendar.",
  "We cannot verify who is buying.",
];

const rounded = (price: number): number => Math.round(price * 100) / 100;

const CounterPrice = ({ sheet, state }: { readonly sheet: Sheet; readonly state: DecisionState }) => {
  const { counter } = sheet.brief.outcomes;
  const { offer, last_ours: ours } = sheet.brief.prices;
  const [text, setText] = useState(sheet.price === null ? "" : sheet.price.toFixed(2));
  const set = (next: string): void => {
    setText(next);
    // An earlier price must not be sent while the field shows something else.
    state.setPrice(amountIn(next));
  };
  const currency = sheet.brief.currency;
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

const Reason = ({ sheet, state }: { readonly sheet: Sheet; readonly state: DecisionState }) => (
  <>
    <Field
      label="Reason, the buyer may read it (optional)"
      value={sheet.reason}
      onInput={state.setReason}
      maxLength={500}
    />
    {sheet.choice === "reject" ? (
      <div class="row wrap">
        {readyReasons.map((reason) => (
          <button key={reason} type="button" class="button small" onClick={() => state.setReason(reason)}>
            {reason}
          </button>
        ))}
      </div>
    ) : null}
  </>
);

const statusOf = ({ phase, failure }: Sheet): string | null => {
  if (phase === "unsure") return "No answer came. Sending again does it once, not twice.";
  if (phase === "refused") return plain(failure?.message ?? "", 400);
  return null;
};

const Changed = ({ changes, accept }: { readonly changes: readonly string[]; readonly accept: () => void }) => (
  <div class="notice warn" role="alert">
    <p>Changed meanwhile: {changes.join(", ")}. Look at it again before you confirm.</p>
    <button type="button" class="button small" onClick={accept}>
      I have seen it
    </button>
  </div>
);

/** The second press: the terms in full, and the button that commits. */
export const DecisionSheet = ({ sheet, state, now }: { sheet: Sheet; state: DecisionState; now: Brief }) => {
  const confirm = useRef<HTMLButtonElement>(null);
  const changes = changesBetween(sheet.brief, now);
  const canSend = (sheet.phase === "ready" || sheet.phase === "unsure") && changes.length === 0 && isReached.value;
  const hasField = sheet.choice === "counter";
  useEffect(() => {
    if (!hasField && canSend) confirm.current?.focus();
  }, [canSend, hasField]);
  useKeys({ Escape: state.close });
  const price = sheet.choice === "counter" ? sheet.price : now.prices.would;
  const status = statusOf(sheet);
  return (
    <form
      class="sheet"
      aria-label={titles[sheet.choice]}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) state.commit();
      }}
    >
      <p>
        <b>{titles[sheet.choice]}</b> {termsOf(now, price)} {effectOf(sheet, now)} This cannot be taken back.
      </p>
      {changes.length === 0 ? null : <Changed changes={changes} accept={() => state.accept(now)} />}
      {hasField ? <CounterPrice sheet={sheet} state={state} /> : null}
      <Reason sheet={sheet} state={state} />
      {status === null ? null : (
        <p class="error" role="alert">
          {status}
        </p>
      )}
      <div class="row">
        <button
          ref={confirm}
          type="submit"
          class={`button ${sheet.choice === "reject" ? "danger" : "primary"}`}
          disabled={!canSend}
        >
          {sheet.phase === "unsure" ? "Send again" : verbs[sheet.choice]}
        </button>
        <button type="button" class="button quiet" onClick={state.close}>
          Not yet <Key name="Esc" />
        </button>
      </div>
    </form>
  );
};
