import { lowerTier, type Tier } from "../pricing/tiers.ts";

/** Seller spec, Agent trust status. */
export const trustStatuses = ["unknown", "registered", "approved", "preferred", "blocked"] as const;

export type TrustStatus = (typeof trustStatuses)[number];

export const isTrustStatus = (text: string): text is TrustStatus => (trustStatuses as readonly string[]).includes(text);

/** Null: every request is rejected (seller spec, Authentication, rule 4). */
export const tierCeilings: Readonly<Record<TrustStatus, Tier | null>> = {
  unknown: "public",
  registered: "seat",
  approved: "advertiser",
  preferred: "advertiser",
  blocked: null,
};

export const tierUnder = (claimed: Tier, status: TrustStatus): Tier | null => {
  const ceiling = tierCeilings[status];
  return ceiling === null ? null : lowerTier(claimed, ceiling);
};
