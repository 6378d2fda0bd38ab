import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { call, type Failure, type Operation, type Reply } from "./api.ts";
import { onEvent, returns } from "./live.ts";

export interface Read<O> {
  /** The last good answer, kept while it is read again. */
  readonly output: O | null;
  readonly failure: Failure | null;
  readonly isLoading: boolean;
  readonly readAtMs: number;
  readonly again: () => void;
}

export interface ShownCall {
  readonly op: Operation;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What the open screen has read, for "As a call". */
export const shownCalls = signal<readonly ShownCall[]>([]);

/** An event is read after it, so that a burst is one read; under a steady stream of events once a second. */
const joinMs = 100;
const leastMs = 1000;

/** Several badges ask the same at once: within this time they share one answer. */
const sharedMs = 30;

const recent = new Map<string, { readonly atMs: number; readonly reply: Promise<Reply<unknown>> }>();

const readOnce = <I, O>(op: Operation<I, O>, input: I, key: string): Promise<Reply<O>> => {
  const name = `${op.name} ${key}`;
  const before = recent.get(name);
  if (before !== undefined && performance.now() - before.atMs < sharedMs) return before.reply as Promise<Reply<O>>;
  const reply = call(op, input);
  recent.set(name, { atMs: performance.now(), reply });
  return reply;
};

/** Reads again when an event's type starts with one of `events`, and when the stream of events is back. */
export const useRead = <I, O>(
  op: Operation<I, O>,
  input: I | null,
  events: readonly string[] = [],
  isShown = true,
): Read<O> => {
  const key = JSON.stringify(input);
  const [answer, setAnswer] = useState<Omit<Read<O>, "again"> & { readonly key: string }>({
    key: "",
    output: null,
    failure: null,
    isLoading: true,
    readAtMs: 0,
  });
  const [turn, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastMs = useRef(-leastMs);
  const again = (): void => setTurn((before) => before + 1);
  const back = returns.value;

  useEffect(() => {
    if (input === null) return undefined;
    let isGone = false;
    void readOnce(op, input, key).then((reply) => {
      if (isGone) return;
      const more = { key, isLoading: false, readAtMs: Date.now() };
      if (reply.ok) setAnswer({ ...more, output: reply.output, failure: null });
      else setAnswer((before) => ({ ...more, output: before.key === key ? before.output : null, failure: reply }));
    });
    return () => void (isGone = true);
  }, [op.name, key, turn, back]);

  useEffect(() => {
    if (input === null || !isShown) return undefined;
    const shown: ShownCall = { op, input: input as Readonly<Record<string, unknown>> };
    shownCalls.value = [...shownCalls.value, shown];
    return () => {
      shownCalls.value = shownCalls.value.filter((other) => other !== shown);
    };
  }, [op.name, key]);

  useEffect(() => {
    if (events.length === 0) return undefined;
    const stop = onEvent(({ type }) => {
      if (!events.some((start) => type.startsWith(start))) return;
      if (timer.current !== undefined) return;
      const waitMs = Math.max(joinMs, lastMs.current + leastMs - performance.now());
      timer.current = setTimeout(() => {
        timer.current = undefined;
        lastMs.current = performance.now();
        again();
      }, waitMs);
    });
    return () => {
      stop();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [events.join()]);

  const isOther = answer.key !== key;
  return { ...answer, ...(isOther ? { output: null, failure: null, isLoading: input !== null } : {}), again };
};
