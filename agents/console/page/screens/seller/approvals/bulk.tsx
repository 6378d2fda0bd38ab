import { useState } from "preact/hooks";
import { call, isReached, type OutputOf } from "../../../agent/api.ts";
import { useOneByOne } from "../../../agent/one-by-one.ts";
import { screenOf } from "../../../address.ts";
import { buyerName, plain, plural, roundMoney } from "../../../form.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { Field } from "../../../parts/field.tsx";
import { Modal } from "../../../parts/modal.tsx";
import { decisionWords } from "../../../words.ts";

type Listed = OutputOf<typeof seller.listApprovals>["approvals"][number];

type Choice = "approve" | "reject";

/** Kinds are never mixed, and an identity is verified one by one. */
export const canSelect = (row: Listed, chosen: readonly Listed[]): boolean =>
  row.flow_type !== "api_key" && (chosen[0] === undefined || chosen[0].flow_type === row.flow_type);

export const mostSelected = 50;

interface BulkProps {
  readonly rows: readonly Listed[];
  readonly choice: Choice;
  readonly close: () => void;
  /** What was decided; what failed stays selected. */
  readonly decided: (ids: readonly string[]) => void;
}

const sumOf = (rows: readonly Listed[]): string => {
  const [currency] = new Set(rows.map((row) => row.currency));
  const isOne = rows.every((row) => row.currency === currency);
  return isOne
    ? `, ${roundMoney(
        rows.reduce((sum, { value }) => sum + (value ?? 0), 0),
        currency,
      )} in all`
    : "";
};

const Outcome = ({ row, outcome }: { readonly row: Listed; readonly outcome: string | undefined }) => (
  <li>
    <span>
      {buyerName(row.buyer_name, row.buyer)}, {plain(row.product_name ?? "")}
    </span>
    <span>
      {row.value === null ? "" : roundMoney(row.value, row.currency)} <b>{outcome}</b>
    </span>
  </li>
);

/** Each is decided on its own, under its own key, and says what became of it. */
export const BulkSheet = ({ rows: given, choice, close, decided }: BulkProps) => {
  const [rows] = useState(given);
  const [reason, setReason] = useState("");
  const why = reason.trim() === "" ? {} : { reason: reason.trim() };
  const { outcomes, isSending, isOver, run } = useOneByOne({
    ids: rows.map(({ approval_id: id }) => id),
    doneWord: decisionWords[choice] ?? choice,
    send: (id, nonce) =>
      call(
        seller.approveOrReject,
        { approval_id: id, decision: choice, ...why },
        { idempotencyKey: `console-${id}-${choice}-${nonce}` },
      ),
    after: decided,
  });

  return (
    <Modal title={`${choice === "approve" ? "Approve" : "Reject"} ${plural(rows.length, "request")}?`} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOver && !isSending) void run();
        }}
      >
        <p>
          {plural(rows.length, "request")}
          {sumOf(rows)}.{" "}
          {choice === "approve" && rows[0]?.flow_type === "deal"
            ? "They then wait to be activated, and can be rejected until then."
            : "This cannot be taken back."}
        </p>
        <ul class="lines">
          {rows.map((row) => (
            <Outcome key={row.approval_id} row={row} outcome={outcomes[row.approval_id]} />
          ))}
        </ul>
        {isOver && choice === "approve" && rows[0]?.flow_type === "deal" ? (
          <a href={`${screenOf("deals")}?status=to_activate`}>Activate the deals</a>
        ) : null}
        <Field label="Reason, the buyers may read it (optional)" value={reason} onInput={setReason} maxLength={500} />
        <div class="row">
          <button
            type="submit"
            class={`button ${choice === "approve" ? "primary" : "danger"}`}
            disabled={isSending || isOver || !isReached.value}
          >
            {`Yes, ${choice} ${rows.length}`}
          </button>
        </div>
      </form>
    </Modal>
  );
};
