import { openTopics, type Slots, type Topic } from "../memory.ts";
import { recordOf, rowsMeant } from "../meant.ts";
import { says } from "../requests.ts";
import type { Talk } from "../spoken.ts";

export const declinedOf = (talk: Talk, product: string): Topic | null =>
  talk.memory.topics.findLast(
    (one) => one.product === product && one.isOver && one.terms["quote_id"] != null && one.terms["deal_id"] == null,
  ) ?? null;

/** "Drop the January part" */
const isWithin = (
  { flight_start: from, flight_end: until }: Slots,
  { flight_start: start, flight_end: end }: Slots,
): boolean =>
  typeof from === "string" &&
  typeof until === "string" &&
  typeof start === "string" &&
  typeof end === "string" &&
  from >= start &&
  until <= end;

export const topicsMeant = (talk: Talk): readonly Topic[] => {
  const all = openTopics(talk.memory);
  const { said } = talk.request;
  const { meant: own } = talk;
  if (own !== undefined && all.includes(own)) return [own];
  const isOut = talk.request.command === "decline";
  const timed = isOut && said.products.length === 0 ? all.filter(({ terms }) => isWithin(terms, said.flight)) : [];
  if (timed.length > 0) return timed;
  // "Take native, forget CTV" declines the one that is excluded.
  const named = isOut && said.excluded.length > 0 ? said.excluded : said.products.flatMap(({ ids }) => ids);
  const kept = isOut ? all : all.filter(({ product }) => !said.excluded.includes(product));
  if (named.length > 0) return kept.filter(({ product }) => named.includes(product));
  const rows = rowsMeant(talk.request, talk.memory);
  const meant =
    rows?.flatMap(
      (row) =>
        kept.find(({ product, terms }) =>
          row.record !== null
            ? recordOf(terms) === row.record || terms["quote_id"] === row.record
            : product === row.product,
        ) ?? [],
    ) ?? [];
  if (meant.length > 0) return meant;
  return (said.excluded.length > 0 && !isOut) || says(talk.request, "both all them these those everything neither none")
    ? kept
    : [];
};

export const recordsNamed = (talk: Talk): readonly Slots[] => {
  const ids = talk.request.said.allIds;
  return ids.flatMap((id): readonly Slots[] => {
    if (id.startsWith("qt-")) return [{ quote_id: id }];
    if (id.startsWith("prop-")) return [{ proposal_id: id }];
    return id.startsWith("neg-") ? [{ negotiation_id: id }] : [];
  });
};
