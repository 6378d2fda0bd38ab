import { randomUUID } from "node:crypto";
import type { StoredRow } from "../../../storage/store.ts";
import { type OpenDoors, openDoors } from "../../doors/doors.ts";
import { sendOn } from "./follow.ts";
import { openWorld, type World } from "../../skills/world.ts";

export type Members = Readonly<Record<string, unknown>>;

export interface Option {
  readonly option: string;
  readonly digest: string;
  readonly operation: string;
  readonly input: Members;
}

export interface Said {
  readonly skill: string | null;
  readonly outcome: string;
  readonly understood: Members;
  readonly result: Members;
  readonly not_used?: readonly string[];
  readonly options?: readonly Option[];
  readonly text: string;
}

export interface Reply {
  readonly contextId: string;
  readonly said: readonly Said[];
}

interface More {
  readonly contextId?: string | undefined;
  readonly messageId?: string;
  readonly slots?: Members;
}

export interface Talker {
  readonly world: World;
  readonly send: (caller: string, text: string, more?: More) => Promise<Reply>;
  /** One conversation; gives the first answer to each. */
  readonly talk: (caller: string, ...texts: readonly string[]) => Promise<readonly Said[]>;
  readonly close: () => Promise<void>;
}

/** Each conversation bargains from the beginning: what one was conceded is no part of the next. */
const forgetOffers = async ({ store }: World): Promise<void> => {
  const rows = await store.list({ kind: "offers", terms: [], order: "newest", limit: 500 });
  const changes = rows.map(({ id, version }) => ({ op: "remove", kind: "offers", id, expect: version }) as const);
  if (changes.length > 0) await store.commit({ changes, audit: null });
};

const sender =
  (world: World, doors: OpenDoors): Talker["send"] =>
  async (caller, text, { contextId, messageId = randomUUID(), slots } = {}) => {
    if (contextId === undefined) await forgetOffers(world);
    const secret = world.secretOf(caller);
    const headers = { "content-type": "application/json", ...(secret === null ? {} : { "x-api-key": secret }) };
    const parts = [{ kind: "text", text }, ...(slots === undefined ? [] : [{ kind: "data", data: slots }])];
    const message = { messageId, role: "user", parts };
    const params = { message, ...(contextId === undefined ? {} : { contextId }) };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params });
    const answer = await fetch(`${doors.url}/a2a/seller/jsonrpc`, { method: "POST", headers, body });
    const { result } = (await answer.json()) as { result: { contextId: string; parts: readonly Members[] } };
    const spoken = String(result.parts.find((part) => part["kind"] === "text")?.["text"]);
    const data = result.parts.filter((part) => part["kind"] === "data");
    return { contextId: result.contextId, said: data.map((part) => ({ ...(part["data"] as Said), text: spoken })) };
  };

export const openTalker = async (options: Parameters<typeof openWorld>[0] = {}): Promise<Talker> => {
  const world = await openWorld(options);
  const doors = await openDoors(world.runner, world.nowMs);
  const send = sender(world, doors);
  const talk: Talker["talk"] = async (caller, ...texts) => {
    const all: Said[] = [];
    let contextId: string | undefined;
    for (const text of texts) {
      const reply = await sendOn({ send }, text, { caller, contextId });
      contextId = reply.contextId;
      all.push(reply.said[0] as Said);
    }
    return all;
  };
  const close = async () => {
    await doors.close();
    await world.close();
  };
  return { world, send, talk, close };
};

type Life = { readonly life?: { readonly value: string } };

const committing = ["deal", "negotiation", "proposal", "change_request"] as const;

const standing = async ({ world }: Talker): Promise<ReadonlyMap<string, string>> => {
  const states = new Map<string, string>();
  for (const kind of committing) {
    const rows = (await world.store.list({
      kind,
      terms: [],
      order: "newest",
      limit: 500,
    })) as readonly StoredRow<Life>[];
    for (const { id, body } of rows) states.set(`${kind} ${id}`, body.life?.value ?? "");
  }
  return states;
};

const effects: Readonly<Record<string, string>> = {
  "deal proposed": "booked",
  "deal rejected": "cancelled",
  "negotiation accepted": "accepted",
  "negotiation rejected": "rejected",
  "proposal rejected": "rejected",
};

/** Read from the stored records, not from the reply. */
export const commitsOf = async (talker: Talker, act: () => Promise<void>): Promise<readonly string[]> => {
  const before = await standing(talker);
  await act();
  const after = await standing(talker);
  return [...after].flatMap(([name, state]) => {
    if (before.get(name) === state) return [];
    const [kind] = name.split(" ");
    if (kind === "change_request") return before.has(name) ? [] : ["changed"];
    const effect = effects[`${String(kind)} ${state}`];
    return effect === undefined ? [] : [effect];
  });
};
