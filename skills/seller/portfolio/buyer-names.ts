import type { Context } from "../../../protocol/seam/operation.ts";
import { apiKeyKind, type ApiKeyRow, keyOwnerTerm } from "../api-keys/record.ts";

export const buyerNameIn = (owner: string, { identity, label }: ApiKeyRow): string | null => {
  if (owner.startsWith("advertiser:")) return identity.advertiser_name;
  if (owner.startsWith("agency:")) return identity.agency_name;
  return owner.startsWith("seat:") ? identity.seat_name : label;
};

export const buyerNames = async (
  context: Pick<Context, "list">,
  owners: readonly string[],
): Promise<ReadonlyMap<string, string | null>> => {
  const nameOf = async (owner: string): Promise<string | null> => {
    const query = { terms: [keyOwnerTerm(owner)], order: "newest", limit: 1 } as const;
    const [key] = await context.list(apiKeyKind, query);
    return key === undefined ? null : buyerNameIn(owner, key.body);
  };
  return new Map(await Promise.all([...new Set(owners)].map(async (owner) => [owner, await nameOf(owner)] as const)));
};
