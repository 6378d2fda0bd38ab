import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { isReached, type Reply } from "../agent/api.ts";
import { useOneByOne } from "../agent/one-by-one.ts";
import { Modal } from "./modal.tsx";

interface EachProps<Row> {
  readonly title: string;
  readonly question: ComponentChildren;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly lineOf: (row: Row) => ComponentChildren;
  /** What became of a row that succeeded. */
  readonly doneWord: string;
  readonly verb: string;
  readonly tone?: "primary" | "danger";
  /** `nonce` is the same for all sendings of one sheet, so that each row is done once. */
  readonly send: (row: Row, nonce: string) => Promise<Reply<unknown>>;
  readonly close: () => void;
}

/** Lists every row that it will touch, does each on its own, and says what became of it. */
export const EachSheet = <Row,>({ rows: given, idOf, lineOf, send, close, ...props }: EachProps<Row>) => {
  const [rows] = useState(given);
  const { outcomes, isSending, isOver, run } = useOneByOne({
    ids: rows.map(idOf),
    doneWord: props.doneWord,
    send: (id, nonce) => {
      const row = rows.find((one) => idOf(one) === id);
      if (row === undefined) throw new Error("An id of another sheet.");
      return send(row, nonce);
    },
  });
  return (
    <Modal title={props.title} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isOver && !isSending) void run();
        }}
      >
        <p>{props.question}</p>
        <ul class="lines">
          {rows.map((row) => (
            <li key={idOf(row)}>
              {lineOf(row)} <b>{outcomes[idOf(row)]}</b>
            </li>
          ))}
        </ul>
        <div class="row">
          <button
            type="submit"
            class={`button ${props.tone ?? "primary"}`}
            disabled={isOver || isSending || !isReached.value}
          >
            {props.verb}
          </button>
        </div>
      </form>
    </Modal>
  );
};
