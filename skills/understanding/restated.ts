import type { Reading } from "../talk/gate/read-context.ts";
import type { Memory } from "./memory.ts";
import { bodyOf } from "./reading/letter.ts";
import { neverPlain, type PlainConsent, plainConsent, strength } from "./reading/consent.ts";
import type { ProductFinder } from "./reading/product-finder.ts";
import type { Heard, Slots } from "./reading/slots.ts";
import { openOf, shownIn } from "./talk/open-talk.ts";
import { type FullTerms, isAsNamed, totalOf } from "./talk/shown-terms.ts";

const about =
  /^\s*(?:with regard to|regarding|concerning|as regards|as for|with respect to|re:?)\s+(?:the\s+)?@\s*[:,]/;
const said =
  "(?:i\\.e\\.|namely|that is|as quoted?|as offered?|as shown|at|for|of|from|on|with|and|the|your|a|as|" +
  "price|rate|cpm|per thousand|per mille|flight|period|volume|impressions?|imps?|dates?|deal|in total|total|@|#|" +
  ",|[(]|[)])";
const typeWords = /\b(?:programmatic guaranteed|preferred deal|private auction|pg|pd|pa)\b/g;
const restatement = new RegExp(`(?:\\s*${said}(?![a-z]))*\\s*#(?:\\s*${said}(?![a-z]))*`, "g");

const known = ["impressions", "flight_start", "flight_end", "deal_type", "target_cpm", "budget", "product_id"];

const isOf = (terms: FullTerms, of: Slots, { slots, barePrice, inventory, ...heard }: Heard): boolean => {
  const products = inventory.flatMap(({ products: named }) => named);
  const price = slots["target_cpm"] ?? barePrice;
  const { budget } = slots;
  return (
    (products.length > 0 || !heard.spoken.includes("@")) &&
    Object.keys(slots).every((name) => known.includes(name)) &&
    isAsNamed(slots, terms) &&
    products.every(({ product_id: id }) => id === of["product_id"]) &&
    heard.volumes.every((volume) => volume === terms.impressions) &&
    heard.leftovers.every(({ isBarePrice }) => isBarePrice) &&
    heard.excluded.length === 0 &&
    heard.sums.length === 0 &&
    heard.resize === null &&
    heard.shift === null &&
    heard.limit === null &&
    heard.priceCut === null &&
    heard.unsold === null &&
    (heard.currency === null || heard.currency === terms.currency) &&
    (price == null || price === Number(terms.cpm)) &&
    (budget === undefined || budget === totalOf(terms))
  );
};

interface Said {
  readonly text: string;
  readonly heard: Heard;
}

const change = /\b(?:change|move|shift|update|raise|reduce|reschedule|set|make|extend|bring) (?:it|that|this|them)\b/;
const bareRequest = /\b(request|submit|file)(?=\s*(?:$|[.!,]|please|pls|then))/g;
const toFigure =
  /(?:\s*(?:to|by|until|till|on|from|for|at|and|the|impressions?|imps?|-)(?![a-z]))*\s*#(?:\s*impressions?| imps?)?/g;

/** "Yes, change it to 600k" repeats the change that was asked about. */
const restatedChange = (asked: Slots, memory: Memory, { text, heard }: Said): PlainConsent | null => {
  const { slots, inventory, spoken } = heard;
  const named = Object.entries(slots);
  const isSame = named.every(([name, value]) => value === (asked[name] ?? memory.terms[name]));
  const isOther =
    [heard.resize, heard.shift, heard.limit, heard.priceCut, heard.barePrice, heard.unsold].some(
      (one) => one !== null,
    ) ||
    heard.leftovers.length > 0 ||
    heard.excluded.length > 0 ||
    inventory.some(({ products }) => products.some(({ product_id: id }) => id !== memory.terms["product_id"]));
  if (isOther || !isSame || !named.some(([name]) => asked[name] !== undefined)) return null;
  if (neverPlain.test(bodyOf(text))) return null;
  const plain = spoken
    .replace(toFigure, " ")
    .replace(/\b(?:the )?@/g, "it")
    .replace(change, "do it")
    .replace(bareRequest, "$1 it");
  const consent = plainConsent(plain);
  return consent?.kind === "yes" ? consent : null;
};

/** An order that repeats what was last shown, figure by figure, is as plain as one that repeats nothing. */
export const restatedConsent = async (
  context: Reading,
  finder: ProductFinder,
  memory: Memory,
  { text, heard }: Said,
): Promise<PlainConsent | null> => {
  const { shown } = memory.life.context;
  const [offer, another] = shown;
  if (offer?.kind === "change" && another === undefined)
    return restatedChange(offer.change ?? {}, memory, { text, heard });
  const [reference] = shownIn(memory);
  const names = heard.inventory.length > 0 || heard.spoken.includes("#");
  if (shown.length !== 1 || reference === undefined || !names || neverPlain.test(bodyOf(text))) return null;
  const plain = heard.spoken
    .replace(about, " ")
    .replace(typeWords, "#")
    .replace(restatement, ", ")
    .replace(/\b(?:the |your )?@/g, "it")
    .replace(/\bas quote\b/g, "as quoted");
  const consent = plainConsent(plain);
  if (consent === null || consent.isForAll || !strength.includes(consent.kind)) return null;
  const open = await openOf({ context, finder }, reference);
  return open !== null && isOf(open.terms, memory.terms, heard) ? consent : null;
};
