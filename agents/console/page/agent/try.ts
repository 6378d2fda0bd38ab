import { useEffect, useState } from "preact/hooks";
import { call, type Failure, type Operation } from "./api.ts";
import { type ShownCall, shownCalls } from "./read.ts";

export interface Tried<O> {
  readonly output: O | null;
  readonly failure: Failure | null;
}

/** While somebody types, only the last input is sent. */
const settleMs = 300;

const untried = { output: null, failure: null } as const;

/** What the agent would answer to a call as it stands; nothing is done. Null: not yet to be asked. */
export const useTried = <I, O>(op: Operation<I, O>, input: I | null): Tried<O> => {
  const [tried, setTried] = useState<Tried<O>>(untried);
  const key = JSON.stringify(input);
  useEffect(() => {
    if (input === null) {
      setTried(untried);
      return undefined;
    }
    const gone = new AbortController();
    const timer = setTimeout(() => {
      void call(op, input, { dryRun: true, signal: gone.signal }).then((reply) => {
        if (gone.signal.aborted) return;
        setTried(reply.ok ? { output: reply.output, failure: null } : { output: null, failure: reply });
      });
    }, settleMs);
    const shown: ShownCall = { op, input: { ...(input as ShownCall["input"]), dry_run: true } };
    shownCalls.value = [...shownCalls.value, shown];
    return () => {
      clearTimeout(timer);
      gone.abort();
      shownCalls.value = shownCalls.value.filter((other) => other !== shown);
    };
  }, [op.name, key]);
  return tried;
};
