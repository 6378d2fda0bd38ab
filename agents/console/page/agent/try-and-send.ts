import { useEffect, useRef, useState } from "preact/hooks";
import { call, type Failure, type Operation } from "./api.ts";
import { useTried } from "./try.ts";

/** `checking`: the dry run; `ready`: it passed; `unsure`: sent, and no answer came. */
export type Phase = "incomplete" | "checking" | "ready" | "refused" | "sending" | "unsure";

interface Sending<I, O> {
  readonly op: Operation<I, O>;
  /** Null: not complete yet. */
  readonly input: I | null;
  /** The revision that was looked at: where it changed meanwhile, the agent does nothing and it is checked again. */
  readonly revisionOf?: ((checked: O) => number | undefined) | undefined;
  /** Reads again what is shown, where somebody else was first or it changed. */
  readonly again?: (() => void) | undefined;
  readonly after: (output: O) => void;
}

interface Sent {
  readonly key: string;
  readonly phase: "sending" | "unsure" | "refused";
  readonly failure: Failure | null;
}

/** The first press asks the agent what would happen, the second does it, once, however often it is sent. */
export const useTryAndSend = <I, O>({ op, input, revisionOf, again, after }: Sending<I, O>) => {
  const [turn, setTurn] = useState(0);
  const [sent, setSent] = useState<Sent | null>(null);
  const [hasChanged, setChanged] = useState(false);
  const nonce = useRef(crypto.randomUUID());
  const tried = useTried(op, input, turn);
  const key = `${turn} ${JSON.stringify(input)}`;
  const isOvertaken = tried.failure?.status === 409;
  useEffect(() => {
    if (isOvertaken) again?.();
  }, [isOvertaken]);

  const current = sent?.key === key ? sent : null;
  const checked: Phase = tried.isWaiting ? "checking" : tried.failure === null ? "ready" : "refused";
  const phase: Phase = input === null ? "incomplete" : (current?.phase ?? checked);

  const send = async (): Promise<void> => {
    if (input === null || (phase !== "ready" && phase !== "unsure")) return;
    const revision = tried.output === null ? undefined : revisionOf?.(tried.output);
    setSent({ key, phase: "sending", failure: null });
    setChanged(false);
    const reply = await call(op, input, {
      idempotencyKey: `console-${op.name}-${nonce.current}`,
      ...(revision === undefined ? {} : { ifMatch: String(revision) }),
    });
    if (reply.ok) return after(reply.output);
    const isLost = reply.kind === "lost";
    setSent({ key, phase: isLost ? "unsure" : "refused", failure: reply });
    // What was refused was not done: the next sending is another. Without an answer it may have been done.
    if (!isLost) nonce.current = crypto.randomUUID();
    if (reply.status === 412) {
      setChanged(true);
      setTurn((before) => before + 1);
    }
    if (reply.status === 409 || reply.status === 412) again?.();
  };
  return { phase, output: tried.output, failure: current?.failure ?? tried.failure, hasChanged, send };
};
