import type { PlannedSlot } from "../slot.ts";

/** What is left of a request after its provider refused it, and what went. */
export interface Cut {
  readonly impressions: readonly PlannedSlot[];
  readonly removed: readonly string[];
}

const longestMessage = 200;

/** The provider's own words as a log may hold them: one line, no control characters. */
export const rejectionText = (message: string): string =>
  message
    // oxlint-disable-next-line no-control-regex -- control characters are what is removed.
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .trim()
    .slice(0, longestMessage);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const names = (line: string, name: string): boolean => {
  const edge = "[^A-Za-z0-9_-]";
  return new RegExp(`(?:^|${edge})${escaped(name)}(?:$|${edge})`).test(line);
};

/** The impression that a line speaks of, by its place in the request or as a stored one by its id. */
const namedIndex = (line: string, impressions: readonly PlannedSlot[]): number => {
  const place = /\bimp\[(\d{1,4})\]/.exec(line)?.[1];
  if (place !== undefined) return Number(place) < impressions.length ? Number(place) : -1;
  if (!/\bstored\b/i.test(line)) return -1;
  return impressions.findIndex(({ slot, isStored }) => isStored && names(line, slot.code));
};

/** `named`: in the impression that is named. `rest`: in every later one too, which was not looked at. */
export type CutWidth = "named" | "rest";

/**
 * Cuts what a refusal names: a bidder of an impression where it names both, else the impression. Prebid Server refuses
 * a whole request for one parameter of one bidder, so that a slip in one slot would empty every other. Its message
 * ends at the first fault; a bidder that it does not know at all is therefore cut from the impressions behind it too.
 * `null`: the message names nothing of this request.
 */
export const cutNamed = (message: string, impressions: readonly PlannedSlot[], width: CutWidth): Cut | null => {
  const removed: string[] = [];
  const left = new Map(impressions.entries());
  const cutBidders = (index: number, refused: readonly string[]): void => {
    const planned = left.get(index);
    const gone = refused.filter((bidder) => Object.hasOwn(planned?.bidders ?? {}, bidder));
    if (planned === undefined || gone.length === 0) return;
    const kept = Object.fromEntries(Object.entries(planned.bidders).filter(([bidder]) => !gone.includes(bidder)));
    if (Object.keys(kept).length > 0) left.set(index, { ...planned, bidders: kept });
    else left.delete(index);
    removed.push(...gone.map((bidder) => `${planned.slot.code} ${bidder}`));
  };
  for (const line of message.split(/[\r\n]+|(?=\brequest\.imp\[)/)) {
    const index = namedIndex(line, impressions);
    const planned = left.get(index);
    if (planned === undefined) continue;
    const { slot, bidders } = planned;
    const refused = Object.keys(bidders).filter((bidder) => names(line.replace(/^.*?\bbidder\b/, ""), bidder));
    if (refused.length === 0) {
      left.delete(index);
      removed.push(slot.code);
      continue;
    }
    const isForAll = width === "rest" || /\bunknown bidder\b/.test(line);
    for (let at = index; at < (isForAll ? impressions.length : index + 1); at += 1) cutBidders(at, refused);
  }
  return removed.length === 0 ? null : { impressions: [...left.values()], removed };
};
