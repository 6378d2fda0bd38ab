import { isOneOf } from "../../../talk/reader/word-lists.ts";
import { idsIn, openTopics, type Slots, type Topic } from "../memory.ts";
import { idNameOf } from "../said.ts";
import { recordOf, rowsMeant } from "../meant.ts";
import { says } from "../requests.ts";
import type { Talk } from "../spoken.ts";

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
  const named = isOut && said.excluded.length > 0 ? said.excluded : idsIn(said);
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

/** Quotes, proposals and negotiations, by their ids. */
export const recordsNamed = ({ request: { said } }: Talk): readonly Slots[] =>
  said.allIds.flatMap((id) => {
    const name = idNameOf(id);
    return isOneOf(name, "quote_id proposal_id negotiation_id") ? [{ [name]: id }] : [];
  });
