import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call, type Failure, isReached, type Operation } from "../agent/api.ts";
import { announce } from "../announce.ts";
import { plain } from "../form.ts";
import { canWrite } from "../agent/session.ts";
import { Modal } from "./modal.tsx";

export interface ActProps<I, O> {
  readonly op: Operation<I, O>;
  readonly input: I;
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
  readonly after: (output: O) => void;
}

type Phase = "checking" | "ready" | "refused" | "sending" | "unsure";

const checkAfterMs = 250;

/** The first press asks the agent what would happen, the second does it, once, however often it is sent. */
const Sheet = <I, O>({ act, close }: { readonly act: ActProps<I, O>; readonly close: () => void }) => {
  const [phase, setPhase] = useState<Phase>("checking");
  const [failure, setFailure] = useState<Failure | null>(null);
  const idempotencyKey = useRef(`console-${act.op.name}-${crypto.randomUUID()}`);
  useEffect(() => {
    const gone = new AbortController();
    setPhase("checking");
    const timer = setTimeout(() => {
      void call(act.op, act.input, { dryRun: true, signal: gone.signal }).then((reply) => {
        if (gone.signal.aborted) return;
        setPhase(reply.ok ? "ready" : "refused");
        setFailure(reply.ok ? null : reply);
      });
    }, checkAfterMs);
    return () => (clearTimeout(timer), gone.abort());
  }, [JSON.stringify(act.input)]);

  const send = async (): Promise<void> => {
    setPhase("sending");
    const reply = await call(act.op, act.input, { idempotencyKey: idempotencyKey.current });
    if (reply.ok) {
      announce(`${act.label}: done.`);
      close();
      act.after(reply.output);
      return;
    }
    setFailure(reply);
    setPhase(reply.kind === "lost" ? "unsure" : "refused");
  };
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
