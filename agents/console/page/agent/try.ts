import { useEffect, useRef, useState } from "preact/hooks";
import { call, type Failure, type Operation } from "./api.ts";
import { type ShownCall, shownCalls } from "./read.ts";

export interface Tried<O> {
  /** Of the last answer, which is kept until the next one is there. */
  readonly output: O | null;
  readonly failure: Failure | null;
  /** The answer to the input as it stands is not there yet. */
  readonly isWaiting: boolean;
}

/** While somebody types, only the last input is sent. What is there from the start is asked at once. */
const settleMs = 250;

const untried = { output: null, failure: null, key: "" } as const;

/** What the agent would answer to a call as it stands; nothing is done. Null: not yet to be asked. */
export const useTried = <I, O>(op: Operation<I, O>, input: I | null, turn = 0): Tried<O> => {
  const [tried, setTried] = useState<Pick<Tried<O>, "output" | "failure"> & { readonly key: string }>(untried);
  const isFirst = useRef(true);
  const key = `${turn} ${JSON.stringify(input)}`;
  useEffect(() => {
    const waitMs = isFirst.current ? 0 : settleMs;
    isFirst.current = false;
    if (input === null) {
      setTried(untried);
      return undefined;
    }
    const gone = new AbortController();
    const ask = async (): Promise<void> => {
      const reply = await call(op, input, { dryRun: true, signal: gone.signal });
      if (gone.signal.aborted) return;
      setTried(reply.ok ? { output: reply.output, failure: null, key } : { output: null, failure: reply, key });
    };
    const timer = setTimeout(() => void ask(), waitMs);
    const shown: ShownCall = { op, input: { ...(input as ShownCall["input"]), dry_run: true } };
    shownCalls.value = [...shownCalls.value, shown];
    return () => {
      clearTimeout(timer);
      gone.abort();
      shownCalls.value = shownCalls.value.filter((other) => other !== shown);
    };
  }, [op.name, key]);
  return { output: tried.output, failure: tried.failure, isWaiting: input !== null && tried.key !== key };
};
