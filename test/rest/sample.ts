import { z } from "zod";
import type { Agent } from "../../agents/server/agent.ts";
import { type Served, serve, type ServeOptions } from "../../agents/server/serve.ts";
import { anonymousCaller, type Caller } from "../../protocol/seam/caller.ts";
import { create, update } from "../../protocol/seam/changes.ts";
import { defineContract, defineOperation, type Operation } from "../../protocol/seam/operation.ts";
import { type Refusal, refuse } from "../../protocol/neutral/refusals.ts";
import { createRunner } from "../../protocol/seam/run/run.ts";
import type { Kind } from "../../storage/store.ts";
import { createMemoryStore } from "./memory-store.ts";

interface Note {
  readonly text: string;
  readonly stars: number;
}

export const noteKind: Kind<Note> = { name: "note", terms: () => [], dueAtMs: () => null, owner: () => "anonymous" };

const noteOutput = z.looseObject({ note_id: z.string().nullable(), text: z.string(), stars: z.int() });
const base = { group: "notes", access: "public", refusals: {}, output: noteOutput } as const;
const noteId = { note_id: z.string() };

export const sampleOperations = (): readonly Operation[] => {
  let made = 0;
  return [
    defineOperation(
      defineContract({
        ...base,
        name: "create_note",
        summary: "Keeps a note. Use it to write.",
        effect: "write",
        input: z.object({ text: z.string().min(1).max(100), stars: z.int().min(0).max(5).default(0) }),
        rest: { method: "POST", path: "/api/v1/notes", status: 201, aliases: [{ method: "POST", path: "/notes" }] },
      }),
      async (context, input) => {
        made += 1;
        const id = context.mint(() => `note-${made}`);
        const note = { text: input.text, stars: input.stars };
        return { output: { note_id: id, ...note }, changes: [create(noteKind, id, note)], meta: { revision: 1 } };
      },
    ),
    defineOperation(
      defineContract({
        ...base,
        name: "get_note",
        summary: "Reads a note.",
        effect: "read",
        input: z.object(noteId),
        refusals: { not_found: 404 },
        rest: { method: "GET", path: "/api/v1/notes/:note_id" },
      }),
      async (context, input) => {
        const row = await context.own(noteKind, input.note_id, "not_found");
        return { output: { note_id: row.id, ...row.body }, meta: { revision: row.version } };
      },
    ),
    defineOperation(
      defineContract({
        ...base,
        name: "change_note",
        summary: "Changes a note.",
        effect: "write",
        input: z.object({ ...noteId, text: z.string(), revision: z.int() }),
        refusals: { not_found: 404, revision_mismatch: 412 },
        rest: { method: "PUT", path: "/api/v1/notes/:note_id" },
      }),
      async (context, input) => {
        const row = await context.own(noteKind, input.note_id, "not_found");
        if (row.version !== input.revision) return refuse("revision_mismatch", { extras: { revision: row.version } });
        const note = { ...row.body, text: input.text };
        return { output: { note_id: row.id, ...note }, changes: [update(noteKind, row, note)] };
      },
    ),
    defineOperation(
      defineContract({
        ...base,
        name: "report_notes",
        summary: "Echoes what a query means.",
        effect: "read",
        input: z.object({
          least_stars: z.int().optional(),
          share: z.number().optional(),
          archived: z.boolean().nullable().optional(),
          tags: z.array(z.string()).optional(),
          phrase: z.union([z.string(), z.number()]).optional(),
        }),
        output: z.looseObject({}),
        rest: { method: "GET", path: "/api/v1/notes/report" },
      }),
      async (_context, input) => ({ output: { ...input } }),
    ),
    defineOperation(
      defineContract({
        ...base,
        name: "break_note",
        summary: "Fails as a bug does.",
        effect: "read",
        input: z.object({}),
        rest: { method: "GET", path: "/api/v1/bug" },
      }),
      async () => {
        throw new Error("the secret inside");
      },
    ),
    defineOperation(
      defineContract({
        ...base,
        name: "purge_notes",
        summary: "Removes nothing, for operators.",
        effect: "write",
        access: "operator",
        input: z.object({ older_than_days: z.int().optional() }),
        output: z.looseObject({}),
        rest: { method: "DELETE", path: "/api/v1/notes" },
      }),
      async (_context, input) => ({ output: { ...input } }),
    ),
  ];
};

const keyCaller = (role: "buyer" | "operator"): Caller => ({
  ...anonymousCaller("127.0.0.1"),
  kind: "key",
  principal: `key:${role}`,
  owner: `key:${role}`,
  limitKey: `key:${role}`,
  keyId: role,
  roles: [role],
});

const keys: Readonly<Record<string, Caller | Refusal>> = {
  "sample-buyer-key": keyCaller("buyer"),
  "sample-operator-key": keyCaller("operator"),
  "sample-revoked-key": refuse("api_key_revoked"),
};

export const blockedAgent = "https://blocked.example";

export interface SampleOptions extends Partial<ServeOptions> {
  readonly errorShape?: Agent["errorShape"];
  readonly name?: Agent["name"];
  readonly perMinute?: number;
  readonly operations?: readonly Operation[];
}

export interface Sample extends Served {
  readonly store: ReturnType<typeof createMemoryStore>;
  readonly logged: { readonly fields: Readonly<Record<string, unknown>>; readonly message: string }[];
}

export const serveSample = async (options: SampleOptions = {}): Promise<Sample> => {
  const store = createMemoryStore();
  const logged: Sample["logged"] = [];
  const note = (fields: Readonly<Record<string, unknown>>, message: string): void =>
    void logged.push({ fields, message });
  const log = { info: note, warn: note, error: note };
  const limit = options.perMinute ?? 0;
  let taken = 0;
  const runner = createRunner({
    operations: options.operations ?? sampleOperations(),
    store,
    ports: {},
    callers: { find: async (secret) => keys[secret] ?? refuse("invalid_api_key") },
    trust: { ofAgent: async (agentUrl) => ({ ceiling: "public", blocked: agentUrl === blockedAgent }) },
    limiter: {
      take: async () => {
        if (limit === 0) return null;
        taken += 1;
        return { allowed: taken <= limit, limit, remaining: Math.max(0, limit - taken), resetSeconds: 17 };
      },
    },
    clock: { nowMs: () => 1_790_000_000_000 },
    log,
  });
  const agent: Agent = {
    name: options.name ?? "seller",
    title: "Sample API",
    version: "1.2.3",
    description: "Notes <for> the tests.",
    runner,
    errorShape: options.errorShape ?? "wrapped",
    pages: [],
    stop: async () => undefined,
  };
  const served = await serve(agent, { host: "127.0.0.1", port: 0, log, ...options });
  return { ...served, store, logged };
};
