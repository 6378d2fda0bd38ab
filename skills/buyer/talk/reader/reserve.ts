import type { Part } from "./parts.ts";
import type { Text } from "./text.ts";
import { isIn } from "./words.ts";

const until = String.raw`(?: (?:until|till|before|unless|without) (?:i|we|my|our)\b[^\d]{0,60})?`;
const small = String.raw`(?: (?:yet|please|for now|at this point|anything|it|them|any|of|lines?|deals?|now|so far))*`;

/** What a start does anyway: nothing is booked by it, and the lines are shown. */
const reserves: readonly RegExp[] = [
  /^(?:no|without(?: a| any)?) (?:bookings?|commitment|purchase)/,
  /^(?:nothing|no (?:line|deal)s?)(?: (?:may|must|should|shall|will|can|is|to|be|gets?|yet))* (?:booked|bought)/,
  /^(?:please )?(?:don't|do not|dont|never) (?:book|buy|commit to)/,
  /^(?:and |only |just )*(?:before (?:booking|buying)|(?:only |just )prices?)/,
].map((begin) => new RegExp(`${begin.source}${small}${until}${small}$`));

const sees =
  /^so (?:that )?(?:i|we) (?:(?:can|could|may) )?(?:see|look|review|check|compare|judge|decide)\b[^\d]{0,50}$/;

const joints = ", ; but and - –";

/** The place where such a clause begins; the end of the part where none does. */
const reserveAt = ({ words }: Text, { from, to }: Part): number => {
  for (let at = from; at < to; at += 1) {
    if (at > from && !isIn(words[at - 1] ?? "", joints) && !isIn(words[at] ?? "", "so before")) continue;
    const said = words
      .slice(at, to)
      .join(" ")
      .replace(/[\s.!]+$/, "");
    if (sees.test(said) || reserves.some((one) => one.test(said))) return at;
  }
  return to;
};

/** The parts without what a start does anyway. */
export const withoutReserves = (text: Text, parts: readonly Part[]): readonly Part[] =>
  parts.flatMap((part) => {
    let to = reserveAt(text, part);
    if (to === part.to) return [part];
    while (to > part.from && isIn(text.words[to - 1] ?? "", joints)) to -= 1;
    return to === part.from ? [] : [{ ...part, to }];
  });
