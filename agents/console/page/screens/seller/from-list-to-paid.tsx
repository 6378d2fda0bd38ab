import { Waterfall } from "../../charts/waterfall.tsx";
import { change, priceText } from "../../form.ts";
import { Card } from "../../parts/bits.tsx";

interface Pricing {
  readonly base_cpm: number;
  readonly tier_discount_pct: number;
  readonly volume_discount_pct: number;
  readonly final_cpm: number;
  readonly currency: string;
}

const rounded = (amount: number): number => Math.round(amount * 100) / 100;

const fallsOf = ({
  base_cpm: base,
  tier_discount_pct: tier,
  volume_discount_pct: volume,
  final_cpm: paid,
}: Pricing) => {
  const byTier = rounded((base * tier) / 100);
  const byVolume = rounded(((base - byTier) * volume) / 100);
  const rest = rounded(base - byTier - byVolume - paid);
  return [
    { name: "Tier", note: `${tier} %`, by: -byTier, side: "us" as const },
    { name: "Volume", note: `${volume} %`, by: -byVolume, side: "us" as const },
    { name: rest < 0 ? "Above the rate" : "Negotiated", note: "", by: -rest, side: "them" as const },
  ].filter(({ by }) => by !== 0);
};

interface FromListToPaidProps {
  readonly pricing: Pricing;
  readonly floor: number | null;
  /** What the last bar is called. */
  readonly last?: string;
}

/** A price step by step: what the tier, the volume and the bargain took off. */
export const FromListToPaid = ({ pricing, floor, last = "Paid" }: FromListToPaidProps) => {
  const { base_cpm: base, final_cpm: paid, currency } = pricing;
  return (
    <Card
      title={`From list to ${last.toLowerCase()}`}
      note={`${change(base === 0 ? 0 : (paid - base) / base)}, CPM in ${currency}`}
    >
      <Waterfall
        from={{ name: "List", note: "rate card", at: base }}
        falls={fallsOf(pricing)}
        to={{ name: last, note: "per thousand", at: paid }}
        floor={floor}
        text={(amount) => priceText(amount, currency)}
      />
      {floor === null ? null : <p class="muted small">The dotted line is the floor, {priceText(floor, currency)}.</p>}
    </Card>
  );
};
