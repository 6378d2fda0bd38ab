/** Lowest first (seller spec, Authentication, rule 2). */
export const tiers = ["public", "seat", "agency", "advertiser"] as const;

export type Tier = (typeof tiers)[number];

/** Seller spec, Authentication, rule 3. */
export interface TierTerms {
  readonly discountPct: number;
  readonly exactPrice: boolean;
  readonly negotiation: "none" | "limited" | "standard" | "premium";
  readonly volumeDiscounts: boolean;
  readonly premiumInventory: boolean;
  readonly customDeals: boolean;
  readonly availsGranularity: "high_level" | "moderate" | "detailed";
}

export const mayNegotiate = ({ negotiation }: TierTerms): boolean => negotiation !== "none";

export type TierTable = Readonly<Record<Tier, TierTerms>>;

/** A seller's rate card may say otherwise. */
export const defaultTierTable: TierTable = {
  public: {
    discountPct: 0,
    exactPrice: false,
    negotiation: "none",
    volumeDiscounts: false,
    premiumInventory: false,
    customDeals: false,
    availsGranularity: "high_level",
  },
  seat: {
    discountPct: 5,
    exactPrice: true,
    negotiation: "limited",
    volumeDiscounts: false,
    premiumInventory: false,
    customDeals: true,
    availsGranularity: "moderate",
  },
  agency: {
    discountPct: 10,
    exactPrice: true,
    negotiation: "standard",
    volumeDiscounts: true,
    premiumInventory: true,
    customDeals: true,
    availsGranularity: "detailed",
  },
  advertiser: {
    discountPct: 15,
    exactPrice: true,
    negotiation: "premium",
    volumeDiscounts: true,
    premiumInventory: true,
    customDeals: true,
    availsGranularity: "detailed",
  },
};

/** Seller spec, Authentication, rule 4. */
export const lowerTier = (one: Tier, other: Tier): Tier => (tiers.indexOf(one) <= tiers.indexOf(other) ? one : other);

export interface TierIdentity {
  readonly seat_id?: string | null;
  readonly agency_id?: string | null;
  readonly advertiser_id?: string | null;
}

const given = (id: string | null | undefined): boolean => id !== undefined && id !== null && id.trim() !== "";

/** An advertiser needs its agency too; an agency needs no seat. */
export const tierOfIdentity = (identity: TierIdentity): Tier => {
  if (given(identity.agency_id)) return given(identity.advertiser_id) ? "advertiser" : "agency";
  return given(identity.seat_id) ? "seat" : "public";
};
