import { useState } from "preact/hooks";
import { amountIn } from "../../../amount.ts";
import type { OutputOf } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { canWrite } from "../../../agent/session.ts";
import { useTried } from "../../../agent/try.ts";
import { money, plain } from "../../../form.ts";
import { Card } from "../../../parts/bits.tsx";
import { Field } from "../../../parts/field.tsx";

type Answer = OutputOf<typeof seller.negotiate>;

const verbs: Readonly<Record<string, string>> = {
  accept: "accept",
  counter: "counter with",
  final_offer: "make a last offer of",
  reject: "reject and end the talk; their price stays",
};

const Said = ({ answer, currency }: { readonly answer: Answer; readonly currency: string | null }) => {
  const { round, waits_for_approval: waits } = answer;
  if (round == null) return null;
  const { action, seller_price: price } = round;
  const verb = verbs[action] ?? action;
  return (
    <div class="stack" role="status">
      <p>
        The rules would <b>{verb}</b> {action === "reject" ? "" : <b>{money(price, currency)}</b>}.{" "}
        {waits === true ? "A person would decide first." : ""}
      </p>
      <p class="muted">{plain(round.rationale, 400)}</p>
    </div>
  );
};

/** What the seller's rules would answer an offer of this buyer; the buyer is told nothing, and nothing is kept. */
export const WhatIf = ({ id, currency }: { readonly id: string; readonly currency: string | null }) => {
  const [text, setText] = useState("");
  const price = amountIn(text);
  const tried = useTried(
    seller.negotiate,
    price === null || price === 0 ? null : { action: "counter" as const, negotiation_id: id, buyer_price: price },
  );
  if (!canWrite()) return null;
  return (
    <Card title="What would the rules say?" note="nothing is sent">
      <div class="stack search">
        <Field
          label="If they offered, per thousand"
          value={text}
          onInput={setText}
          maxLength={14}
          error={text.trim() !== "" && (price === null || price === 0) ? "A price, for example 11.20." : null}
        />
        {tried.output === null ? null : <Said answer={tried.output} currency={currency} />}
        {tried.failure === null ? null : (
          <p class="muted" role="status">
            {plain(tried.failure.message, 400)}
          </p>
        )}
      </div>
    </Card>
  );
};
