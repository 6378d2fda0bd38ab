/** Access tiers, lowest first (seller spec, Authentication, rule 2). */
export const tiers = ["public", "seat", "agency", "advertiser"] as const;

export type Tier = (typeof tiers)[number];

/** What a tier is worth; the seller's configuration may change it (wire contract 5.2; spec, Authentication, rule 3). */
export interface TierTerms {
  readonly discountPct: number;
  /** False: the caller sees a price range instead of a price. */
  readonly exactPrice: boolean;
  readonly negotiation: "none" | "limited" | "standard" | "premium";
  readonly volumeDiscounts: boolean;
  readonly premiumInventory: boolean;
  readonly customDeals: boolean;
  readonly availsGranularity: "high_level" | "moderate" | "detailed";
}

/** Whether a tier negotiates at all, and so what it is told of it (spec, Authentication, rule 3). */
export const mayNegotiate = ({ negotiation }: TierTerms): boolean => negotiation !== "none";

export type TierTable = Readonly<Record<Tier, TierTerms>>;

/** Discounts 0, 5, 10 and 15 percent (decision 5); the flags of the wire contract 5.2. */
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

/** The lower of two tiers: an effective tier is the lower of the claimed one and the trust ceiling (spec, rule 4). */
export const lowerTier = (one: Tier, other: Tier): Tier => (tiers.indexOf(one) <= tiers.indexOf(other) ? one : other);

/** The identity fields that decide a tier; absent, null and blank are the same. */
export interface TierIdentity {
  readonly seat_id?: string | null;
  readonly agency_id?: string | null;
  readonly advertiser_id?: string | null;
}

const given = (id: string | null | undefined): boolean => id !== undefined && id !== null && id.trim() !== "";

/**
 * The tier that a verified identity claims: an advertiser needs its agency too, an agency needs no seat (wire
 * contract 1.3, which agrees with every row of the spec).
 */
export const tierOfIdentity = (identity: TierIdentity): Tier => {
  if (given(identity.agency_id)) return given(identity.advertiser_id) ? "advertiser" : "agency";
  return given(identity.seat_id) ? "seat" : "public";
};
