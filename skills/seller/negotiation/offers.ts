import { type OffersSoFar, offersAfter, withElsewhere } from "../../../machines/negotiation/offers.ts";
import type { NegotiationContext } from "../../../machines/negotiation/rounds.ts";
import type { Caller } from "../../../protocol/seam/caller.ts";
import { create, update } from "../../../protocol/seam/changes.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { Change, Kind } from "../../../storage/store.ts";
import { apiKeyKind, keyOwnerTerm } from "../api-keys/record.ts";
import type { SellerContext } from "../context.ts";

/** For nobody: it shows how far the seller would go. */
interface OffersRow extends OffersSoFar {
  readonly party: string;
  readonly product_id: string;
}

const offersKind: Kind<OffersRow> = {
  name: "offers",
  terms: () => [],
  dueAtMs: () => null,
  owner: () => null,
};

/** What one party and the seller said about one product, whatever record it is kept with. */
export interface Heard {
  readonly party: string;
  readonly productId: string;
  readonly loaded: Loaded<OffersRow> | null;
}

type Party = Pick<Caller, "owner" | "verified"> & { readonly identity: { readonly agency_id: string | null } };

/** The keys of an agency's advertisers own their records apart, and bargain as one. */
const partyOf = ({ owner, verified, identity }: Party): string =>
  verified && identity.agency_id !== null && identity.agency_id !== "" ? `agency:${identity.agency_id}` : owner;

const heardOf = async (context: SellerContext, party: string, productId: string): Promise<Heard> => ({
  party,
  productId,
  loaded: await context.load(offersKind, idOf(party, productId)),
});

/** No product's id has the sign between them. */
const idOf = (party: string, productId: string): string => `${productId}|${party}`;

export const heardFromCaller = (context: SellerContext, productId: string): Promise<Heard> =>
  heardOf(context, partyOf(context.caller), productId);

/** For an operator that asks what this buyer would be answered. */
export const heardFromOwner = async (context: SellerContext, owner: string, productId: string): Promise<Heard> => {
  const [key] = await context.list(apiKeyKind, { terms: [keyOwnerTerm(owner)], order: "newest", limit: 1 });
  const party = key === undefined ? owner : partyOf({ owner, verified: true, identity: key.body.identity });
  return heardOf(context, party, productId);
};

export const withHeard = (context: NegotiationContext, { loaded }: Heard, nowMs: number): NegotiationContext =>
  withElsewhere(context, loaded?.body ?? null, nowMs);

/** In the commit of the answer, so that two offers at once are answered one after the other. */
export const heardChanges = (
  { party, productId, loaded }: Heard,
  before: NegotiationContext,
  after: NegotiationContext,
  how: { readonly nowMs: number; readonly isHeld: boolean },
): readonly Change[] => {
  const offers = offersAfter(loaded?.body ?? null, before, after, how);
  if (offers === null) return [];
  const row: OffersRow = { party, product_id: productId, ...offers };
  return [loaded === null ? create(offersKind, idOf(party, productId), row) : update(offersKind, loaded, row)];
};
