import { dealTopics, openTopics, productIn, rowsOfList, type Slots } from "../memory.ts";
import { says } from "../requests.ts";
import { read, type Spoken, type Talk, tell } from "../spoken.ts";
import { asLines, listed } from "../wording.ts";
import { isStanding, ownDeals } from "./deals.ts";
import { list, nameOf } from "./discovery.ts";

const notOnRecord = "file types, file weights and delivery deadlines are not on record here; a person can tell you.";

/** "Which banners for my booking?": of the kind that is named only what is booked, or talked about. */
const productsMeant = async (talk: Talk): Promise<readonly string[]> => {
  const { ids, memory, request } = talk;
  const id = request.said.ids["deal_id"];
  const isOfDeal = id !== undefined || says(request, "deal deals booking bookings order campaign");
  const booked = isOfDeal && (id !== undefined || dealTopics(memory).length === 0) ? await ownDeals(talk) : [];
  const own = booked.filter((deal) => (id === undefined ? isStanding(deal) : deal["deal_id"] === id)).map(productIn);
  const known = own.length > 0 ? own : [...dealTopics(memory), ...openTopics(memory)].map(({ product }) => product);
  const fitting = [...new Set(known)].filter((one) => ids.includes(one));
  if (id !== undefined && own.length > 0) return own;
  if (ids.length === 1) return ids;
  return fitting.length > 0 ? fitting : ids.length === 0 && own.length > 0 ? own : ids;
};

interface Format extends Slots {
  readonly format_id: string;
  readonly name: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly seconds: number | null;
}

const formatsWith = async (talk: Talk, filter: Slots): Promise<readonly Format[]> =>
  rowsOfList(await read(talk, "list_creative_formats", { ...filter, limit: 500 }), "formats") as readonly Format[];

const formatText = ({ name, width, height }: Format): string =>
  width === null || height === null ? name : `${name} (${width}x${height})`;

/** "Do you take 300x250?" */
const isFitting = (wanted: string, { width, height, seconds }: Format): boolean =>
  wanted === `${width}x${height}` || wanted === String(seconds);

const sizesAsked = ({ request: { isQuestion, said } }: Talk): readonly string[] =>
  isQuestion ? said.entities.flatMap((one) => (one.kind === "size" || one.kind === "spot" ? [one.value] : [])) : [];

const mostProducts = 8;

/** "Which of these sizes goes with which product?" */
const ofEachProduct =
  /\b(?:which|each|every|per|by|these|those) (?:of (?:these|those|the|your) )?(?:products?|placements?)\b/i;

const productsOf = (offers: readonly Slots[]): readonly string[] => [
  ...new Set(offers.map(({ product_id: id }) => String(id))),
];

/** The sizes and lengths of each product, which are on record; what else a file must be is not. */
export const formats = async (talk: Talk): Promise<Spoken> => {
  const meant = await productsMeant(talk);
  const offers = rowsOfList(await read(talk, "find_offers", { limit: 500 }), "offers");
  const taken = await formatsWith(talk, {});
  const isEach = meant.length === 0 && ofEachProduct.test(talk.request.text);
  const ids = isEach ? productsOf(offers) : meant.length > mostProducts ? [] : meant;
  const formatsOf = (id: string): readonly Format[] => {
    const own = (offers.find((offer) => offer["product_id"] === id)?.["formats"] ?? []) as readonly string[];
    return taken.filter(({ format_id: one }) => own.includes(one));
  };
  const known = ids.filter((id) => formatsOf(id).length > 0);
  const shown = known.length === 0 ? taken : taken.filter((one) => known.some((id) => formatsOf(id).includes(one)));
  const lines = known.map((id) => `${nameOf(talk, id)}: ${listed(formatsOf(id).map(formatText), shown.length)}`);
  const [only, other] = lines;
  const isNone = ids.length > 0 && known.length === 0;
  const told = isNone
    ? `${listed(ids.map((id) => nameOf(talk, id)))}: sizes, lengths, ${notOnRecord}`
    : only === undefined
      ? `Creatives here are of these sizes: ${listed(taken.map(formatText), taken.length)}.`
      : other === undefined
        ? `${only}.`
        : asLines("Sizes and lengths:", lines);
  const answers = isNone
    ? []
    : sizesAsked(talk).map((one) => {
        const name = one.includes("x") ? one : `${one} seconds`;
        return shown.some((format) => isFitting(one, format)) ? `Yes, ${name} is taken.` : `No, ${name} is not taken.`;
      });
  const about = ids.length === 0 ? talk.terms : { ...talk.terms, product_id: ids.length === 1 ? ids[0] : ids };
  const text = [...answers, told].join(" ");
  const rest = isNone ? "" : `${lines.length > 1 ? "\n" : " "}F${notOnRecord.slice(1)}`;
  return tell("discovery", `${text}${rest}`, { result: { formats: isNone ? [] : shown }, about });
};

/** Products of other kinds that take a video: "are there other video products?" */
const carriersOfVideo = async (talk: Talk, but: readonly string[]): Promise<readonly string[]> => {
  const ids = (await formatsWith(talk, { assets: ["video"] })).map(({ format_id: id }) => id);
  const found = ids.length === 0 ? null : await read(talk, "find_offers", { formats: ids, limit: 500 });
  const all = rowsOfList(found, "offers").map(({ product_id: id }) => String(id));
  return [...new Set(all)].filter((id) => !but.includes(id));
};

export const listWithCarriers = async (talk: Talk): Promise<Spoken> => {
  const spoken = await list(talk);
  const { products, excluded } = talk.request.said;
  if (spoken.outcome !== "answer" || products.length !== 1 || products[0]?.inventoryType !== "video") return spoken;
  const others = await carriersOfVideo(talk, [...products[0].ids, ...excluded]);
  const names = others.map((id) => nameOf(talk, id));
  return names.length === 0 ? spoken : { ...spoken, text: `${spoken.text} A video also runs on: ${names.join("; ")}.` };
};
