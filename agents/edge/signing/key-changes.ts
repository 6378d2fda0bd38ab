import type { EdgeContext, TextStore } from "../context.ts";
import type { EdgeRefusalCode } from "../http/refusals.ts";
import { isKid, isNewKid, jwkOfSeed, newSeed, readActiveKids, type PublicJwk } from "./keys.ts";

/** Why keys were not changed: the row of the refusal table that gives the status, and a text for the operator. */
export interface KeyRefusal {
  readonly ok: false;
  readonly code: EdgeRefusalCode;
  readonly reason: string;
}

export type Rotation =
  | {
      readonly ok: true;
      readonly newKid: string;
      readonly previousKid: string | null;
      readonly activeKids: readonly string[];
      readonly jwk: PublicJwk;
    }
  | KeyRefusal;

export type Deactivation = { readonly ok: true; readonly remaining: readonly string[] } | KeyRefusal;

interface Stores {
  readonly configId: string;
  readonly secretId: string;
  readonly config: TextStore;
  readonly secret: TextStore;
}

const refusal = (code: EdgeRefusalCode, reason: string): KeyRefusal => ({ ok: false, code, reason });

const notConfigured = refusal("configuration", "request signing is not configured; add [request_signing]");

const storesOf = (context: EdgeContext): Stores | null => {
  const signing = context.config.request_signing;
  if (signing === undefined || context.configStore.writer === undefined || context.secretStore.writer === undefined) {
    return null;
  }
  return {
    configId: signing.config_store_id,
    secretId: signing.secret_store_id,
    config: context.configStore,
    secret: context.secretStore,
  };
};

let last: Promise<unknown> = Promise.resolve();

/** One change after the other, over all processes: two that read the same list would write it without each other's. */
const inTurn = <T>({ env: { peers } }: EdgeContext, work: () => Promise<T>): Promise<T> => {
  const start = (): Promise<T> => (peers === undefined ? work() : peers.inTurn(work));
  const next = last.then(start);
  last = next.catch(() => undefined);
  return next;
};

interface Write {
  readonly store: TextStore;
  readonly storeId: string;
  readonly key: string;
  readonly value: string | null;
}

const apply = async ({ store, storeId, key, value }: Write): Promise<void> => {
  if (value === null) await store.writer?.remove(storeId, key);
  else await store.writer?.put(storeId, key, value);
};

const writeAll = async (writes: readonly Write[]): Promise<void> => {
  const undo: Write[] = [];
  for (const write of writes) {
    const before = await write.store.get(write.storeId, write.key);
    try {
      await apply(write);
    } catch (error) {
      for (const old of undo.toReversed()) await apply(old).catch(() => undefined);
      throw error;
    }
    undo.push({ ...write, value: before });
  }
};

const today = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

const isTaken = async ({ configId, secretId, config, secret }: Stores, kid: string): Promise<boolean> =>
  (await config.get(configId, kid)) !== null || (await secret.get(secretId, kid)) !== null;

const freeKid = async (stores: Stores, context: EdgeContext): Promise<string> => {
  const plain = `ts-${today(context.env.now())}`;
  if (!(await isTaken(stores, plain))) return plain;
  const tail = Array.from(context.env.random(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${plain}-${tail}`;
};

/** A new key becomes the current one beside those that are active; with none configured it is the first. */
export const rotateKeys = (context: EdgeContext, wanted: string | undefined): Promise<Rotation> =>
  inTurn(context, async () => {
    const stores = storesOf(context);
    if (stores === null) return notConfigured;
    if (wanted !== undefined && !isNewKid(wanted)) {
      return refusal("bad_request", "kid must be 1 to 128 of A-Z a-z 0-9 - _ . : and start with a lower case letter");
    }
    const { configId, secretId, config, secret } = stores;
    const kid = wanted ?? (await freeKid(stores, context));
    if (await isTaken(stores, kid)) {
      return refusal("conflict", `the key ${kid} exists already; choose another kid, or send none`);
    }
    const previousKid = await config.get(configId, "current-kid");
    const activeKids = [...(await readActiveKids(config, configId)), kid];
    const { seed, text } = newSeed(context);
    const jwk = await jwkOfSeed(kid, seed);
    await writeAll([
      { store: secret, storeId: secretId, key: kid, value: text },
      { store: config, storeId: configId, key: kid, value: JSON.stringify(jwk) },
      { store: config, storeId: configId, key: "active-kids", value: activeKids.join(",") },
      { store: config, storeId: configId, key: "current-kid", value: kid },
    ]);
    return { ok: true, newKid: kid, previousKid, activeKids, jwk };
  });

export const deactivateKey = (context: EdgeContext, kid: string, isDeletion: boolean): Promise<Deactivation> =>
  inTurn(context, async () => {
    const stores = storesOf(context);
    if (stores === null) return notConfigured;
    if (!isKid(kid)) return refusal("bad_request", "kid must be 1 to 128 of A-Z a-z 0-9 - _ . :");
    const { configId, secretId, config, secret } = stores;
    if ((await config.get(configId, "current-kid")) === kid) {
      return refusal("configuration", `the key ${kid} is the current one; rotate first`);
    }
    const jwk = await config.get(configId, kid);
    const active = await readActiveKids(config, configId);
    if (jwk === null && !active.includes(kid)) {
      return refusal("configuration", `signing key not found: ${kid}; rotate keys to make one`);
    }
    const remaining = active.filter((other) => other !== kid);
    if (remaining.length === 0) return refusal("configuration", "no active key would remain; rotate first");
    await writeAll([
      { store: config, storeId: configId, key: "active-kids", value: remaining.join(",") },
      ...(isDeletion
        ? [
            { store: secret, storeId: secretId, key: kid, value: null },
            { store: config, storeId: configId, key: kid, value: null },
          ]
        : []),
    ]);
    return { ok: true, remaining };
  });
