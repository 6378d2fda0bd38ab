import { defaultNegotiationLimits } from "../../../machines/negotiation/limits.ts";
import { type NegotiationInstance, negotiationMachine, newNegotiation } from "../../../machines/negotiation/machine.ts";
import { type OffersSoFar, offersAfter, withElsewhere } from "../../../machines/negotiation/offers.ts";
import { step } from "../../../machines/step.ts";
import type { Random } from "../../storage/crash/random.ts";

export type Bargainer = "seat" | "agency" | "advertiser";

/** What a buyer may start a talk about: its tier, and its computed price for one volume. */
export interface Terms {
  readonly tier: Bargainer;
  readonly ceilingMicros: number;
}

export interface Told {
  readonly terms: Terms;
  readonly offerMicros: number;
  readonly action: string;
  readonly sellerMicros: number;
}

export const openTalk = ({ tier, ceilingMicros }: Terms, floorMicros: number): NegotiationInstance =>
  newNegotiation({
    limits: defaultNegotiationLimits[tier],
    baseMicros: ceilingMicros,
    floorMicros,
    ceilingMicros,
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    lifetimeMs: null,
  });

/** One buyer's offers for one product, in any of its talks, as the operations make them. */
export const oneBuyer = () => {
  let offers: OffersSoFar | null = null;
  return (
    at: NegotiationInstance,
    priceMicros: number,
    how: { readonly nowMs?: number; readonly approvalId?: string } = {},
  ): NegotiationInstance => {
    const { nowMs = 0, approvalId = null } = how;
    const before = { ...at, context: withElsewhere(at.context, offers, nowMs) };
    const after = step(negotiationMachine, before, { type: "OFFER", nowMs, priceMicros, approvalId });
    if (after === null) throw new Error(`An offer in a negotiation that is ${at.value} was not answered.`);
    const isHeld = after.context.held !== null;
    offers = offersAfter(offers, before.context, after.context, { nowMs, isHeld }) ?? offers;
    return after;
  };
};

/** Null ends the strategy. */
type NextOffer = (told: readonly Told[], terms: Terms) => number | null;

const bisects = (): NextOffer => {
  let [refused, taken] = [0, Number.POSITIVE_INFINITY];
  return (told, { ceilingMicros }) => {
    const last = told.at(-1);
    if (last?.action === "accept") taken = Math.min(taken, last.offerMicros);
    else if (last !== undefined) refused = Math.max(refused, last.offerMicros);
    const next = Math.floor((refused + Math.min(taken, ceilingMicros)) / 2);
    return next === refused ? null : next;
  };
};

const climbs = (random: Random): NextOffer => {
  const stepMicros = 10_000 * (1 + random.below(200));
  const start = random.below(30_000_000);
  return (told) => start + told.length * stepMicros;
};

/** Low, then near the seller's price, then low again. */
const swings =
  (random: Random): NextOffer =>
  (told, { ceilingMicros }) => {
    const asked = told.at(-1)?.sellerMicros ?? ceilingMicros;
    return told.length % 2 === 0 ? 1 + random.below(5_000_000) : Math.max(1, asked - 10_000 * random.below(400));
  };

const guesses =
  (random: Random): NextOffer =>
  (_told, { ceilingMicros }) =>
    1 + random.below(ceilingMicros + 1_000_000);

const repeats = (random: Random): NextOffer => {
  const price = 1 + random.below(30_000_000);
  return () => price;
};

const styles = [bisects, climbs, swings, guesses, repeats];

interface Play {
  readonly terms: readonly Terms[];
  readonly floorMicros: number;
  readonly random: Random;
  readonly moves: number;
}

/** A strategy drawn from `random`: how it offers, and whether it goes on with a talk or starts another. */
export const play = ({ terms, floorMicros, random, moves }: Play): readonly Told[] => {
  const say = oneBuyer();
  const nextOffer = (styles[random.below(styles.length)] ?? bisects)(random);
  const startsAnew = random.below(101);
  const told: Told[] = [];
  let talks: { readonly terms: Terms; readonly at: NegotiationInstance }[] = [];
  for (let move = 0; move < moves; move += 1) {
    const isNew = talks.length === 0 || random.below(100) < startsAnew;
    const place = random.below(isNew ? terms.length : talks.length);
    const about = isNew ? terms[place] : talks[place]?.terms;
    if (about === undefined) throw new Error("There is nothing to talk about.");
    const offerMicros = nextOffer(told, about);
    if (offerMicros === null) return told;
    const before = isNew ? openTalk(about, floorMicros) : (talks[place]?.at ?? openTalk(about, floorMicros));
    const at = say(before, offerMicros);
    const round = at.context.rounds.at(-1);
    told.push({ terms: about, offerMicros, action: round?.action ?? "", sellerMicros: round?.sellerMicros ?? 0 });
    talks = isNew ? [...talks, { terms: about, at }] : talks.with(place, { terms: about, at });
    talks = talks.filter((talk) => talk.at.value === "active");
  }
  return told;
};
