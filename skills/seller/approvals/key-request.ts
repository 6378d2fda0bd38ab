import type { z } from "zod";
import { quoted } from "../../../protocol/neutral/seen-text.ts";
import { isOperator } from "../../../protocol/seam/caller.ts";
import { apiKeyKind, type ApiKeyRow, type KeyIdentity } from "../api-keys/record.ts";
import { isActive } from "../api-keys/view.ts";
import { buyerOfKey, newestKeysOf } from "../buyers/view.ts";
import { buyerNameIn } from "../portfolio/buyer-names.ts";
import type { SellerContext } from "../context.ts";
import type { getApproval } from "./contract.ts";
import type { ApprovalRow } from "./record.ts";

type KeyRequest = NonNullable<z.input<typeof getApproval.output>["request"]["key_request"]>;
type Holder = KeyRequest["holders"][number];

const claimedOwners = ({ advertiser_id, agency_id, seat_id }: KeyIdentity): readonly string[] =>
  Object.entries({ advertiser: advertiser_id, agency: agency_id, seat: seat_id }).flatMap(([level, id]) =>
    id === null ? [] : [`${level}:${id}`],
  );

const holderOf = async (context: SellerContext, buyer: string): Promise<Holder | null> => {
  const keys = await newestKeysOf(context, buyer);
  const [newest] = keys;
  if (newest === undefined) return null;
  return {
    buyer,
    name: buyerNameIn(buyer, newest),
    active_keys: keys.filter((key) => isActive(key, context.nowMs)).length,
    newest_key: newest.key_id,
    newest_label: newest.label,
  };
};

const textAt = ({ context }: ApprovalRow, name: string): string | null => {
  const value = context[name];
  return typeof value === "string" ? value : null;
};

const requestOf = (row: ApprovalRow, key: ApiKeyRow, holders: readonly Holder[]): KeyRequest => {
  const { seat_id, seat_name, agency_id, agency_name, advertiser_id, advertiser_name } = key.identity;
  return {
    key_id: key.key_id,
    ...{ seat_id, seat_name, agency_id, agency_name, advertiser_id, advertiser_name },
    label: key.label,
    agent_url: key.agent_url,
    asked_by: textAt(row, "asked_by"),
    asked_by_buyer: textAt(row, "asked_by_buyer"),
    asked_from: textAt(row, "asked_from"),
    becomes: claimedOwners(key.identity)[0] ?? buyerOfKey(key),
    holders: holders.filter(({ buyer, newest_key: newest }) => buyer !== buyerOfKey(key) || newest !== key.key_id),
  };
};

/** By approval; without those that are about no key. Each claimed identity is looked up once. */
export const keyRequestsOf = async (
  context: SellerContext,
  rows: readonly ApprovalRow[],
): Promise<ReadonlyMap<string, KeyRequest>> => {
  if (!isOperator(context.caller)) return new Map();
  const known = new Map<string, Promise<Holder | null>>();
  const holderAt = (buyer: string): Promise<Holder | null> => {
    const holder = known.get(buyer) ?? holderOf(context, buyer);
    known.set(buyer, holder);
    return holder;
  };
  const requests = rows
    .filter(({ flow_type: flow }) => flow === "api_key")
    .map(async (row): Promise<readonly (readonly [string, KeyRequest])[]> => {
      const key = (await context.load(apiKeyKind, row.subject_id))?.body;
      if (key === undefined) return [];
      const holders = await Promise.all(claimedOwners(key.identity).map(holderAt));
      return [
        [
          row.approval_id,
          requestOf(
            row,
            key,
            holders.filter((holder) => holder !== null),
          ),
        ],
      ];
    });
  return new Map((await Promise.all(requests)).flat());
};

/** Without a judgement: nothing that the asker says is proven. */
export const keyRequestText = (request: KeyRequest): string => {
  const claims = (["advertiser", "agency", "seat"] as const).flatMap((level) => {
    const id = request[`${level}_id`];
    return id === null ? [] : [`${level} ${quoted(id)}`];
  });
  const from = request.asked_from === null ? "" : ` from ${request.asked_from}`;
  const held = request.holders.map(({ buyer, active_keys: keys }) => `${quoted(buyer)} (${keys} active keys)`);
  const holders = held.length === 0 ? "Nobody holds any of that yet." : `Held already by ${held.join(", ")}.`;
  const who = request.asked_by ?? "A caller";
  return `${who}${from} asks for a key as ${claims.join(", ")}; nothing is proven. ${holders}`;
};
