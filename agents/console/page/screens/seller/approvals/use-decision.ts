import { useRef, useState } from "preact/hooks";
import { call, type Failure } from "../../../agent/api.ts";
import { announce } from "../../../announce.ts";
import { seller } from "../../../agent/operations.ts";
import { decisionWords } from "../../../words.ts";
import type { Brief } from "./brief-words.ts";

export type Choice = "approve" | "counter" | "reject";

/** `checking`: the dry run; `ready`: it passed; `unsure`: sent, and no answer came. */
export type Phase = "checking" | "ready" | "refused" | "sending" | "unsure";

export interface Sheet {
  readonly choice: Choice;
  readonly brief: Brief;
  readonly price: number | null;
  readonly reason: string;
  readonly phase: Phase;
  readonly failure: Failure | null;
  /** One for each sheet: sent again after a cut, the agent answers what it did the first time. */
  readonly idempotencyKey: string;
}

export interface DecisionState {
  readonly sheet: Sheet | null;
  readonly isDone: boolean;
  readonly open: (choice: Choice, brief: Brief, price: number | null) => void;
  readonly setReason: (reason: string) => void;
  readonly setPrice: (price: number | null) => void;
  readonly accept: (brief: Brief) => void;
  readonly commit: () => void;
  readonly close: () => void;
}

const inputOf = ({ choice, brief, price, reason }: Sheet) => ({
  approval_id: brief.approval_id,
  decision: choice,
  ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
  ...(choice === "counter" && price !== null ? { modifications: { price } } : {}),
});

const checkAfterMs = 250;

const newSheet = (choice: Choice, brief: Brief, price: number | null): Sheet => ({
  choice,
  brief,
  price,
  reason: "",
  phase: "checking",
  failure: null,
  idempotencyKey: `console-${brief.approval_id}-${choice}-${crypto.randomUUID()}`,
});

export const useDecision = (again: () => void): DecisionState => {
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [isDone, setDone] = useState(false);
  const check = useRef<AbortController | null>(null);

  const patch = (more: Partial<Sheet>): void => setSheet((before) => (before === null ? null : { ...before, ...more }));

  const dryRun = async (of: Sheet, waitMs: number): Promise<void> => {
    check.current?.abort();
    const mine = new AbortController();
    check.current = mine;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (mine.signal.aborted) return;
    const reply = await call(seller.approveOrReject, inputOf(of), { dryRun: true, signal: mine.signal });
    if (mine.signal.aborted) return;
    patch(reply.ok ? { phase: "ready", failure: null } : { phase: "refused", failure: reply });
    if (!reply.ok && reply.status === 409) again();
  };

  const start = (next: Sheet, waitMs: number): void => {
    setSheet(next);
    void dryRun(next, waitMs);
  };

  const commit = async (of: Sheet): Promise<void> => {
    patch({ phase: "sending", failure: null });
    const { idempotencyKey, brief } = of;
    const ifMatch = String(brief.revision);
    const reply = await call(seller.approveOrReject, inputOf(of), { idempotencyKey, ifMatch });
    if (reply.ok) {
      setDone(true);
      setSheet(null);
      announce(`You ${decisionWords[of.choice]} this.`);
      again();
      return;
    }
    // Nothing was decided: what changed is read again, and must be seen before the next press.
    if (reply.status === 412) patch({ phase: "ready", failure: null });
    else patch({ phase: reply.kind === "lost" ? "unsure" : "refused", failure: reply });
    if (reply.status === 409 || reply.status === 412) again();
  };

  return {
    sheet,
    isDone,
    open: (choice, brief, price) => {
      start(newSheet(choice, brief, price), 0);
      // What changed since it was last read is marked before the second press.
      again();
    },
    setReason: (reason) => patch({ reason }),
    setPrice: (price) => {
      if (sheet === null) return;
      start({ ...sheet, price, phase: "checking", failure: null }, checkAfterMs);
    },
    accept: (brief) => patch({ brief }),
    commit: () => {
      if (sheet !== null && (sheet.phase === "ready" || sheet.phase === "unsure")) void commit(sheet);
    },
    close: () => {
      check.current?.abort();
      setSheet(null);
    },
  };
};
