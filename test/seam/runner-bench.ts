import { randomUUID } from "node:crypto";
import { z } from "zod";
import { anonymousCaller } from "../../protocol/seam/caller.ts";
import { create, update } from "../../protocol/seam/changes.ts";
import {
  type Context,
  defineContract,
  defineOperation,
  type Operation,
  type Outcome,
} from "../../protocol/seam/operation.ts";
import { refuse } from "../../protocol/neutral/refusals.ts";
import { createRunner, type Runner } from "../../protocol/seam/run/run.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Kind, Store } from "../../storage/store.ts";

interface Counter {
  readonly value: number;
}

export const counterKind: Kind<Counter> = {
  name: "counter",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => "anonymous",
};

const contractOf = (name: string) =>
  defineContract({
    name,
    group: "test",
    summary: "Raises a counter.",
    effect: "write",
    access: "public",
    input: z.object({ id: z.string() }),
    output: z.looseObject({ value: z.int() }),
    refusals: { not_found: 404 },
    rest: { method: "POST", path: `/${name}` },
  });

export interface Bench {
  readonly store: Store;
  readonly runner: Runner;
  readonly seen: number[];
  readonly logged: string[];
  /** Each replaces one commit of the store. */
  readonly commits: Store["commit"][];
  /** Each replaces one look-up of a credential. */
  readonly lookUps: (() => Promise<never>)[];
  /** Runs before a handler of `raise_first` reads the counter. */
  readonly meanwhile: (() => Promise<unknown>)[];
  /** `byRival`: a second runner over the same store, like another process. */
  call(operation: string, id: string, more?: { key?: string; dryRun?: boolean; byRival?: boolean }): Promise<Outcome>;
  close(): Promise<void>;
}

type Handle = (context: Context, input: { id: string }) => ReturnType<Operation["handle"]>;

const raised = async (context: Context, id: string, seen: number[]) => {
  const loaded = await context.load(counterKind, id);
  const value = (loaded?.body.value ?? 0) + 1;
  seen.push(value);
  const change = loaded === null ? create(counterKind, id, { value }) : update(counterKind, loaded, { value });
  return { value, changes: [change], events: [{ event_type: "counter.raised", payload: { id } }] };
};

const handlers = (seen: number[], meanwhile: Bench["meanwhile"]): Readonly<Record<string, Handle>> => ({
  raise: async (context, { id }) => {
    const { value, changes, events } = await raised(context, id, seen);
    return { output: { value }, changes, events, log: [{ level: "info", fields: { value }, message: "raised" }] };
  },
  raise_first: async (context, { id }) => {
    await meanwhile.shift()?.();
    if ((await context.load(counterKind, id)) !== null) return refuse("not_found");
    const { value, changes, events } = await raised(context, id, seen);
    return { output: { value }, changes, events };
  },
  raise_wrongly: async (context, { id }) => {
    const { changes, events } = await raised(context, id, seen);
    return { output: { value: "no number" }, changes, events };
  },
  refuse_and_raise: async (context, { id }) => {
    const { changes, events } = await raised(context, id, seen);
    return { ...refuse("not_found"), changes, events };
  },
  raise_two: async (context, { id }) => {
    const first = await context.call("raise", { id: `${id}-1` });
    const second = await context.call("raise", { id: `${id}-2` });
    const both = [first, second].map((outcome) => (outcome.kind === "done" ? outcome.output : "refused"));
    return { output: { value: 2, both } };
  },
});

export const openBench = async (): Promise<Bench> => {
  const store = openMemoryStore();
  const seen: number[] = [];
  const logged: string[] = [];
  const commits: Store["commit"][] = [];
  const meanwhile: Bench["meanwhile"] = [];
  const lookUps: Bench["lookUps"] = [];
  const known = () => Promise.resolve(anonymousCaller("203.0.113.1"));
  const commit: Store["commit"] = (of) => (commits.shift() ?? store.commit)(of);
  const log = (_fields: unknown, message: string): void => void logged.push(message);
  const newRunner = (): Runner =>
    createRunner({
      operations: Object.entries(handlers(seen, meanwhile)).map(([name, handle]) =>
        defineOperation(contractOf(name), handle as never),
      ),
      store: { ...store, commit },
      ports: {},
      callers: { find: () => (lookUps.shift() ?? known)() },
      trust: { ofAgent: () => Promise.resolve({ ceiling: "public" as const, blocked: false }) },
      limiter: { take: () => Promise.resolve(null) },
      clock: { nowMs: () => Date.UTC(2027, 0, 15) },
      log: { info: log, warn: log, error: log },
    });
  const [runner, rival] = [newRunner(), newRunner()];
  return {
    store,
    runner,
    seen,
    logged,
    commits,
    lookUps,
    meanwhile,
    call: (operation, id, { key, dryRun, byRival } = {}) => {
      const by = byRival === true ? rival : runner;
      return by.run({
        operation,
        door: "rest",
        admission: by.admit({ apiKey: null, authorization: null, address: "203.0.113.1" }),
        requestId: randomUUID(),
        input: () => ({ input: { id }, dryRun: dryRun === true }),
        idempotencyKey: key ?? null,
      });
    },
    close: () => store.close(),
  };
};

export const stored = async (store: Store): Promise<Readonly<Record<string, number>>> => ({
  counter: await store.count("counter", null),
  event: await store.count("event", null),
  idempotency: await store.count("idempotency", null),
  audit: (await store.auditHeads()).reduce((sum, head) => sum + head.seq, 0),
});
