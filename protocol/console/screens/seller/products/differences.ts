import { count, money } from "../../../form.ts";

interface Terms {
  readonly base_cpm: number | null;
  readonly floor_cpm: number | null;
  readonly maximum_impressions: number | null;
}

const capText = (cap: number | null): string => (cap === null ? "no cap" : count(cap));

/** What a change of a product sets, in words. */
export const differences = (
  { before, after }: { readonly before: Terms; readonly after: Terms },
  currency: string,
): readonly { readonly name: string; readonly old: string; readonly fresh: string }[] =>
  [
    { name: "List price", old: money(before.base_cpm, currency), fresh: money(after.base_cpm, currency) },
    { name: "Floor", old: money(before.floor_cpm, currency), fresh: money(after.floor_cpm, currency) },
    { name: "Cap", old: capText(before.maximum_impressions), fresh: capText(after.maximum_impressions) },
  ].filter(({ old, fresh }) => old !== fresh);
