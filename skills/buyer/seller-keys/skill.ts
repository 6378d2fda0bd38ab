import type { z } from "zod";
import { create, remove, update } from "../../../protocol/seam/changes.ts";
import { defineContract, defineOperation, type Loaded } from "../../../protocol/seam/operation.ts";
import { isRefusal, type Refusal, refuse } from "../../../protocol/neutral/refusals.ts";
import { createApiKey, revokeApiKey } from "../../seller/api-keys/contract.ts";
import type { Change } from "../../../storage/store.ts";
import type { BuyerContext } from "../ports.ts";
import type { SellerCredential } from "../seller-door.ts";
import { callFrom, sellerRefusal, sellerUrlOf } from "../seller-refusal.ts";
import { originOf } from "../seller-url.ts";
import * as contract from "./contract.ts";
import { credentialOf, maskedKey, sellerKeyKind, type SellerKeyRow } from "./record.ts";

/** Sellers may leave out all but the key. */
const issuedKey = defineContract({
  ...createApiKey,
  output: createApiKey.output.partial().required({ api_key: true }),
});

const viewOf = (row: SellerKeyRow) => ({
  seller_url: row.seller_url,
  masked_key: row.masked,
  header_type: row.header_type,
  key_id: row.key_id,
  expires_at: row.expires_at,
  needs_reauth: row.needs_reauth,
});

const find = (context: BuyerContext, sellerUrl: string): Promise<Loaded<SellerKeyRow> | null> =>
  context.load(sellerKeyKind, originOf(sellerUrl));

interface NewKey extends SellerCredential {
  readonly keyId: string | null;
  readonly expiresAt: string | null;
}

interface Stored {
  readonly row: SellerKeyRow;
  readonly change: Change;
}

/** Encrypted under its origin. */
const stored = async (context: BuyerContext, sellerUrl: string, key: NewKey): Promise<Stored | Refusal> => {
  const { seal } = context.ports;
  if (seal === null) return refuse("key_storage_unavailable");
  const origin = originOf(sellerUrl);
  const row: SellerKeyRow = {
    seller_url: sellerUrl,
    sealed: seal.close(key.key, origin),
    masked: maskedKey(key.key),
    header_type: key.headerType,
    key_id: key.keyId,
    expires_at: key.expiresAt,
    needs_reauth: false,
    updated_at_ms: context.nowMs,
  };
  const loaded = await context.load(sellerKeyKind, origin);
  const change = loaded === null ? create(sellerKeyKind, origin, row) : update(sellerKeyKind, loaded, row);
  return { row, change };
};

export const setSellerKey = defineOperation(contract.setSellerKey, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  const isNew = (await find(context, url)) === null;
  const key = { key: input.api_key, headerType: input.header_type, keyId: null, expiresAt: null };
  const made = await stored(context, url, key);
  if (isRefusal(made)) return made;
  return { output: { ...viewOf(made.row), created: isNew }, changes: [made.change] };
});

const mostKeys = 500;

export const listSellerKeys = defineOperation(contract.listSellerKeys, async (context: BuyerContext) => {
  const rows = await context.list(sellerKeyKind, { order: "oldest", limit: mostKeys });
  const known = new Set(rows.map(({ id }) => id));
  const configured = [...context.ports.configuredKeys]
    .filter(([origin]) => !known.has(origin))
    .map(([origin, { key, headerType }]) => ({
      seller_url: origin,
      masked_key: maskedKey(key),
      header_type: headerType,
      key_id: null,
      expires_at: null,
      needs_reauth: false,
      source: "configured" as const,
    }));
  const keys = [...rows.map(({ body }) => ({ ...viewOf(body), source: "stored" as const })), ...configured];
  return { output: { keys, total: (await context.count(sellerKeyKind, null)) + configured.length } };
});

export const removeSellerKey = defineOperation(contract.removeSellerKey, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  const loaded = await find(context, url);
  return {
    output: { seller_url: url, removed: loaded !== null },
    ...(loaded === null ? {} : { changes: [remove(sellerKeyKind, loaded)] }),
  };
});

type Issued = z.output<typeof issuedKey.output>;

/** Null where the buyer has no identity. */
const requestFor = (context: BuyerContext, expiresInDays: number | null | undefined) => {
  const { identity } = context.ports;
  if (Object.keys(identity).length === 0) return null;
  return { ...identity, label: "Parley buyer", ...(expiresInDays == null ? {} : { expires_in_days: expiresInDays }) };
};

/**
 * Without a credential: the stored one may be what the seller rejects. Without an idempotency key: a replay would lack
 * the key, which is returned once.
 */
const issue = async (
  context: BuyerContext,
  url: string,
  expiresInDays: number | null | undefined,
): Promise<Issued | Refusal> => {
  const request = requestFor(context, expiresInDays);
  if (request === null) return refuse("identity_required");
  const answer = await context.ports.sellers.call(url, issuedKey, request, { ...callFrom(context), credential: null });
  if (!answer.ok) return sellerRefusal(answer);
  if (/^[\x21-\x7e]{1,4096}$/.test(answer.value.api_key ?? "")) return answer.value;
  return refuse("seller_error", { message: "The seller answered without a usable key.", extras: { seller_url: url } });
};

/** A dry run asks no seller. */
const dryKey = (url: string) => ({
  seller_url: url,
  masked_key: "****",
  header_type: "api_key" as const,
  key_id: null,
  expires_at: null,
  needs_reauth: false,
});

export const acquireSellerKey = defineOperation(contract.acquireSellerKey, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  if (context.ports.seal === null) return refuse("key_storage_unavailable");
  if (context.dryRun) return { output: { ...dryKey(url), verified: null, approval_id: null } };
  const issued = await issue(context, url, input.expires_in_days);
  if (isRefusal(issued)) return issued;
  const key = {
    key: String(issued.api_key),
    headerType: "api_key" as const,
    keyId: issued.key_id ?? null,
    expiresAt: issued.expires_at ?? null,
  };
  const made = await stored(context, url, key);
  if (isRefusal(made)) return made;
  const output = { ...viewOf(made.row), verified: issued.verified ?? null, approval_id: issued.approval_id ?? null };
  return { output, changes: [made.change] };
});

/** With the key itself: no other credential may revoke it. */
const revokeOld = async (
  context: BuyerContext,
  url: string,
  old: SellerKeyRow,
  credential: SellerCredential,
): Promise<boolean> => {
  if (old.key_id === null) return false;
  const revoked = defineContract({ ...revokeApiKey, output: revokeApiKey.output.partial() });
  const answer = await context.ports.sellers.call(
    url,
    revoked,
    { key_id: old.key_id },
    {
      ...callFrom(context),
      credential,
    },
  );
  return answer.ok;
};

export const rotateSellerKey = defineOperation(contract.rotateSellerKey, async (context: BuyerContext, input) => {
  const url = sellerUrlOf(input.seller_url);
  if (context.ports.seal === null) return refuse("key_storage_unavailable");
  const old = await find(context, url);
  if (old === null) return refuse("seller_key_not_found");
  const oldCredential = credentialOf(old.body, old.id, context.ports.seal);
  const { api_key: given, expires_in_days } = input;
  if (context.dryRun) return { output: { ...dryKey(url), old_key_revoked: false } };
  // A commit of its own, so that the old key is revoked only once the new one is safe.
  const renewed =
    given == null
      ? await context.call("acquire_seller_key", { seller_url: url, expires_in_days })
      : await context.call("set_seller_key", {
          seller_url: url,
          api_key: given,
          header_type: old.body.header_type,
        });
  if (renewed.kind === "refused") return renewed.refusal;
  const row = (await find(context, url))?.body ?? old.body;
  const isRevoked =
    input.revoke_old && oldCredential !== null && (await revokeOld(context, url, old.body, oldCredential));
  return { output: { ...viewOf(row), old_key_revoked: isRevoked } };
});
