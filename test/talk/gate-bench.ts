import { randomUUID } from "node:crypto";
import { z } from "zod";
import { anonymousCaller } from "../../protocol/seam/caller.ts";
import { create, update } from "../../protocol/seam/changes.ts";
import { type Context, defineContract, defineOperation } from "../../protocol/seam/operation.ts";
import { refuse } from "../../protocol/neutral/refusals.ts";
import { createRunner } from "../../protocol/seam/run/run.ts";
import { createGate, type Deed, type Took, type Numbered } from "../../skills/talk/gate/gate.ts";
import { picked } from "../../skills/talk/gate/pick.ts";
import { type ReadContext, readOnly } from "../../skills/talk/gate/read-context.ts";
import type { DeskRow, Option } from "../../skills/talk/gate/record.ts";
import { openMemoryStore } from "../../storage/memory/driver.ts";
import type { Kind, StoredRow } from "../../storage/store.ts";

interface Offer {
  readonly price: number;
  readonly sold: number;
}

const offerKind: Kind<Offer> = { name: "offer", terms: () => [], dueAtMs: () => null, owner: () => "anonymous" };

const input = z.object({ offer_id: z.string() });
const shared = { group: "test", access: "public", output: z.looseObject({ price: z.number() }), input } as const;

const readOffer = defineContract({ ...shared, name: "read_offer", summary: "Reads.", effect: "read", refusals: {} });
const buyOffer = defineContract({
  ...shared,
  name: "buy_offer",
  summary: "Buys.",
  effect: "write",
  refusals: { not_found: 404 },
});
const dropOffer = defineContract({ ...shared, name: "drop_offer", summary: "Drops.", effect: "write", refusals: {} });

/** Reads the price, and says it; ends in an hour. */
const render: Deed["render"] = async (context, { offer_id: id }) => {
  const found = await context.call(readOffer, { offer_id: String(id) });
  if (found.kind === "refused") return found;
  const { price } = found.output;
  const terms = `Offer ${String(id)} at $${price}`;
  return { kind: "done", output: { label: `Buy ${terms}`, terms, revisions: [price] } };
};

const gate = createGate([
  {
    operation: "buy_offer",
    orders: () => ["book"],
    render,
    byId: (id) => (id.startsWith("of-") ? { offer_id: id } : null),
  },
  { operation: "drop_offer", orders: () => ["cancel"], render },
]);

export interface Heard {
  readonly context_id: string | null;
  readonly text?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly show?: readonly Numbered[];
  readonly arm?: boolean;
  readonly arms?: boolean;
}

export interface Answered {
  readonly picked: string;
  readonly took: readonly Took[];
  readonly options: readonly Option[];
}

/** A conversation of nothing but the gate: what is picked is taken, and then the drafts of the message are shown. */
const talked = async (
  context: Context,
  { context_id: contextId, text = "", data = {}, show = [], arm = false }: Heard,
  message: object,
) => {
  const desk = await gate.open(context, contextId);
  const pick = picked(gate, desk, { text, data }, context.nowMs);
  const after = pick.kind === "take" ? await gate.take(context, desk, pick.takes, message) : { desk, took: [] };
  const closed = pick.kind === "no" ? gate.close(after.desk, () => true) : after.desk;
  const shown = await gate.show(context, closed, show, { arm });
  const why = pick.kind === "wrong" ? `: ${pick.why}` : "";
  const output = { picked: `${pick.kind}${why}`, took: after.took, options: shown.options };
  return { output, changes: gate.changes(shown.desk) };
};

const talk = defineContract({
  name: "talk",
  group: "test",
  summary: "Talks.",
  effect: "write",
  access: "public",
  input: z.looseObject({}),
  output: z.looseObject({}),
  refusals: {},
});

/** What a reader of text gets, and tries to write with by a cast. */
const sneaked = (context: ReadContext): Promise<unknown> =>
  context.call(buyOffer as unknown as typeof readOffer, { offer_id: "of-00000001" });

export const openGateBench = async () => {
  const store = openMemoryStore();
  let nowMs = Date.UTC(2027, 0, 15);
  const log = (): void => undefined;
  const operations = [
    defineOperation(readOffer, async (context: Context, { offer_id: id }) => {
      const loaded = await context.load(offerKind, id);
      return loaded === null ? refuse("not_found", { message: "That offer is gone." }) : { output: { ...loaded.body } };
    }),
    defineOperation(buyOffer, async (context: Context, { offer_id: id }) => {
      const loaded = await context.own(offerKind, id, "not_found");
      const body = { ...loaded.body, sold: loaded.body.sold + 1 };
      return { output: { price: body.price }, changes: [update(offerKind, loaded, body)] };
    }),
    defineOperation(dropOffer, async () => ({ output: { price: 0 } })),
    defineOperation(talk, (context: Context, heard) => talked(context, heard as unknown as Heard, heard)),
    defineOperation({ ...talk, name: "sneak" }, async (context: Context) => {
      await sneaked(readOnly(context));
      return { output: {} };
    }),
  ];
  const runner = createRunner({
    operations,
    store,
    ports: {},
    callers: {
      find: (key) => Promise.resolve({ ...anonymousCaller("203.0.113.1"), owner: key }),
    },
    trust: { ofAgent: () => Promise.resolve({ ceiling: "public" as const, blocked: false }) },
    limiter: { take: () => Promise.resolve(null) },
    clock: { nowMs: () => nowMs },
    log: { info: log, warn: log, error: log },
  });
  const run = (operation: string, given: unknown, by: string) =>
    runner.run({
      operation,
      door: "a2a",
      admission: runner.admit({ apiKey: by, authorization: null, address: "203.0.113.1" }),
      requestId: randomUUID(),
      input: () => ({ input: given }),
    });
  return {
    store,
    run,
    wait: (ms: number) => void (nowMs += ms),
    price: async (id: string, price: number) => {
      const row = (await store.get("offer", id)) as StoredRow<Offer> | null;
      const change =
        row === null ? create(offerKind, id, { price, sold: 0 }) : update(offerKind, row, { ...row.body, price });
      await store.commit({ changes: [change], audit: null });
    },
    sold: async (id: string) => ((await store.get("offer", id)) as StoredRow<Offer> | null)?.body.sold ?? null,
    desk: async (by: string) =>
      ((await store.get("talk_desk", JSON.stringify([by, "c"]))) as StoredRow<DeskRow> | null)?.body ?? null,
    say: async (more: Omit<Heard, "context_id"> & { contextId?: string; by?: string }): Promise<Answered> => {
      const { contextId = "c", by = "anonymous", ...heard } = more;
      const outcome = await run("talk", { context_id: contextId, ...heard }, by);
      if (outcome.kind !== "done") throw new Error(JSON.stringify(outcome));
      return outcome.output as Answered;
    },
  };
};
