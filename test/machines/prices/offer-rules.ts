import { isDeepStrictEqual } from "node:util";
import { ceilToCent } from "../../../machines/money.ts";
import { defaultNegotiationLimits } from "../../../machines/negotiation/limits.ts";
import { negotiationMachine } from "../../../machines/negotiation/machine.ts";
import { step } from "../../../machines/step.ts";
import { seededRandom } from "../../storage/crash/random.ts";
import { openTalk, play, type Terms, type Told } from "./offer-play.ts";

/** Under every price that the engine reaches. */
const noFloor = 1;

const moves = 14;

const mostConceded = defaultNegotiationLimits.advertiser.totalCapPct;

/** A rejection repeats the opening price and tells nothing. */
const priceIn = ({ action, sellerMicros }: Told): number =>
  action === "reject" ? Number.POSITIVE_INFINITY : sellerMicros;

/** After each offer, how far the engine alone has gone in one negotiation with the same offers. */
const concededTo = (told: readonly Told[], terms: Terms): readonly number[] => {
  let at = openTalk(terms, noFloor);
  let asked = terms.ceilingMicros;
  return told.map(({ offerMicros }) => {
    const after = step(negotiationMachine, at, { type: "OFFER", nowMs: 0, priceMicros: offerMicros, approvalId: null });
    const round = after?.context.rounds.at(-1);
    if (round !== undefined && round.action !== "reject") asked = Math.min(asked, round.sellerMicros);
    if (after?.value === "active") at = after;
    return asked;
  });
};

const faultsOf = (terms: readonly Terms[], floorMicros: number, seed: number): readonly string[] => {
  const [free, floored] = [noFloor, floorMicros].map((floor) =>
    play({ terms, floorMicros: floor, random: seededRandom(seed), moves }),
  ) as [readonly Told[], readonly Told[]];
  const under = free.findIndex((one) => priceIn(one) < ceilToCent(floorMicros));
  const same = under === -1 ? Number.MAX_SAFE_INTEGER : under;
  const faults: string[] = [];
  if (!isDeepStrictEqual(free.slice(0, same), floored.slice(0, same))) faults.push("the floor changed an answer");
  for (const told of [free, floored]) {
    const [only] = terms;
    const limits = terms.length === 1 && only !== undefined ? concededTo(told, only) : [];
    for (const [place, one] of told.entries()) {
      const lowest = (one.terms.ceilingMicros * (100 - mostConceded)) / 100 - 5_000;
      if (priceIn(one) < Math.max(lowest, limits[place] ?? 0)) faults.push(`offer ${place + 1} went too low`);
    }
  }
  return faults.map((fault) => `seed ${seed}: ${fault}: ${JSON.stringify(floored)}`);
};

/**
 * One strategy, drawn from its seed, of one buyer with one or several computed prices for a product:
 * what it is told does not depend on the floor until the engine would have gone below it by itself, and is never lower
 * than what one negotiation would have conceded to the same offers, or a tier concedes in all.
 */
export const faultsOfStrategy = (seed: number): readonly string[] => {
  const draw = seededRandom(seed);
  const cents = 500 + draw.below(9_500);
  const priced = (tier: Terms["tier"], share: number): Terms => ({
    tier,
    ceilingMicros: Math.round(cents * share) * 10_000,
  });
  const floorMicros = cents * 100 * (30 + draw.below(70));
  const agency = priced("agency", 1);
  const several = [agency, priced("advertiser", 0.94), priced("agency", 0.9), priced("advertiser", 0.8)];
  return [...faultsOf([agency], floorMicros, seed), ...faultsOf(several, floorMicros, seed)];
};
