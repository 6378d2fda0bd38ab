import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isReached, type Operation } from "../agent/api.ts";
import { announce } from "../announce.ts";
import { plain } from "../form.ts";
import type { ShownCall } from "../agent/read.ts";
import { canWrite } from "../agent/session.ts";
import { useTryAndSend } from "../agent/try-and-send.ts";
import { CallTexts } from "./as-a-call.tsx";
import { Modal } from "./modal.tsx";

export interface ActProps<I, O> {
  readonly op: Operation<I, O>;
  /** Null: not complete yet. */
  readonly input: I | null;
  /** What has to be filled in, while it is not complete. */
  readonly missing?: string;
  readonly label: string;
  /** What happens, in full, above the button that does it. */
  readonly question: ComponentChildren;
  readonly tone?: "primary" | "danger";
  /** The button that does it; "Yes, " and the label where left out. */
  readonly verb?: string;
  /** How the button that opens the sheet looks. */
  readonly look?: "small" | "primary";
  /** More of the input, asked in the sheet. */
  readonly children?: ComponentChildren;
  /** What the check answered, above the button. */
  readonly shows?: (checked: O) => ComponentChildren;
  /** The revision that was checked: where it changed meanwhile, the agent does nothing and it is checked again. */
  readonly revisionOf?: (checked: O) => number | undefined;
  /** Reads again what is shown, where it changed meanwhile. */
  readonly again?: () => void;
  readonly after: (output: O) => void;
}

const Sheet = <I, O>({ act, close }: { readonly act: ActProps<I, O>; readonly close: () => void }) => {
  const { phase, output, failure, hasChanged, send } = useTryAndSend({
    ...act,
    after: (done: O) => {
      announce(`${act.label}: done.`);
      close();
      act.after(done);
    },
  });
  const canSend = (phase === "ready" || phase === "unsure") && isReached.value;
  return (
    <Modal title={act.label} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (canSend) void send();
        }}
      >
        <p>{act.question}</p>
        {act.children}
        {hasChanged ? (
          <p class="notice warn" role="alert">
            It changed meanwhile, and nothing was done. This is what would happen now.
          </p>
        ) : null}
        {output === null ? null : act.shows?.(output)}
        {phase === "incomplete" ? <p class="muted small">{act.missing ?? "Something is still missing."}</p> : null}
        {failure === null ? null : (
          <p class="error" role="alert">
            {phase === "unsure"
              ? "No answer came. Sending again does it once, not twice."
              : plain(failure.message, 400)}
          </p>
        )}
        <div class="row">
          <button type="submit" class={`button ${act.tone ?? "primary"}`} disabled={!canSend}>
            {phase === "unsure" ? "Send again" : (act.verb ?? `Yes, ${act.label.toLowerCase()}`)}
          </button>
        </div>
        {act.input === null ? null : (
          <details class="call">
            <summary>As a call</summary>
            <CallTexts op={act.op as Operation} input={act.input as ShownCall["input"]} />
          </details>
        )}
      </form>
    </Modal>
  );
};

/** A button that changes something; a viewer sees none. */
export const Act = <I, O>(props: ActProps<I, O>) => {
  const [isOpen, setOpen] = useState(false);
  if (!canWrite()) return null;
  return (
    <>
      <button
        type="button"
        class={`button ${props.look ?? "small"} ${props.tone === "danger" ? "danger-line" : ""}`}
        disabled={!isReached.value}
        onClick={() => setOpen(true)}
      >
        {props.label}
      </button>
      {isOpen ? <Sheet act={props} close={() => setOpen(false)} /> : null}
    </>
  );
};
