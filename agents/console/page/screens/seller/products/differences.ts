import { count, day, money } from "../../../form.ts";

interface Terms {
  readonly base_cpm: number | null;
  readonly floor_cpm: number | null;
  readonly accept_from: number | string | null;
  readonly maximum_impressions: number | null;
}

const capText = (cap: number | null): string => (cap === null ? "no cap" : count(cap));

/** Which sales a change is about: by the flight's first day, or by the day of booking. */
export const salesFrom = ({
  effective_from: flight,
  booked_from: booked,
}: {
  readonly effective_from?: string | undefined;
  readonly booked_from?: string | undefined;
}): string => (booked === undefined ? `Flights from ${day(flight)}` : `Bookings from ${day(booked)}`);

/** A price, a share of the list price, or null for the floor. */
export const acceptText = (from: number | string | null | undefined, currency: string): string => {
  if (from == null) return "the floor";
  return typeof from === "number" ? money(from, currency) : `${from} of the list price`;
};

/** What a change of a product sets, in words. */
export const differences = (
  { before, after }: { readonly before: Terms; readonly after: Terms },
  currency: string,
): readonly { readonly name: string; readonly old: string; readonly fresh: string }[] =>
  [
    { name: "List price", old: money(before.base_cpm, currency), fresh: money(after.base_cpm, currency) },
    { name: "Floor", old: money(before.floor_cpm, currency), fresh: money(after.floor_cpm, currency) },
    {
      name: "Target prices from",
      old: acceptText(before.accept_from, currency),
      fresh: acceptText(after.accept_from, currency),
    },
    { name: "Cap", old: capText(before.maximum_impressions), fresh: capText(after.maximum_impressions) },
  ].filter(({ old, fresh }) => old !== fresh);
