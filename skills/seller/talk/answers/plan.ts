import type { Entity } from "../../../talk/reader/entity.ts";
import { pick, type Slots } from "../memory.ts";
import type { Request } from "../requests.ts";
import { type Said, saidBy } from "../said.ts";
import { clarify, type Spoken, type Talk } from "../spoken.ts";
import { money, saleIn, totalOf } from "../wording.ts";
import { without } from "../terms.ts";
import { itemsOf } from "./discovery.ts";
import { quoteOne } from "./quotes.ts";

/** A product of a message with the terms that are its own. */
export interface Group {
  readonly said: Said;
  readonly id: string;
}

const own: ReadonlySet<Entity["kind"]> = new Set(["volume", "money", "percent", "price", "period", "dealType"]);
const sizes: ReadonlySet<Entity["kind"]> = new Set(["volume", "money", "percent"]);

const isIn = (kinds: ReadonlySet<Entity["kind"]>, entities: readonly Entity[]): boolean =>
  entities.some(({ kind }) => kinds.has(kind));

/** Cut before each product, or before the size that stands ahead of each: "2M CTV, 500k native". */
const groupsIn = (
  entities: readonly Entity[],
): { readonly head: readonly Entity[]; readonly groups: readonly (readonly Entity[])[] } => {
  const relevant = entities.filter((one) => own.has(one.kind) || (one.kind === "product" && !one.isExcluded));
  const first = relevant.findIndex(({ kind }) => kind === "product");
  const ahead = relevant.slice(0, first);
  // A size directly ahead of the first product, and one ahead of the next, belong to them.
  const isAhead =
    ahead.length > 0 &&
    sizes.has(ahead.at(-1)?.kind ?? "product") &&
    !isIn(sizes, relevant.slice(relevant.findLastIndex(({ kind }) => kind === "product")));
  const groups: Entity[][] = [];
  const head: Entity[] = isAhead ? ahead.slice(0, -1) : [...ahead];
  let open: Entity[] = isAhead ? ahead.slice(-1) : [];
  for (const one of relevant.slice(first)) {
    if (one.kind === "product") {
      if (isAhead && open.every(({ kind }) => kind !== "product")) open.push(one);
      else {
        if (open.length > 0) groups.push(open);
        open = [one];
      }
      continue;
    }
    if (isAhead && sizes.has(one.kind) && open.some(({ kind }) => kind === "product")) {
      groups.push(open);
      open = [one];
    } else open.push(one);
  }
  if (open.length > 0) groups.push(open);
  return { head, groups: groups.filter((group) => group.some(({ kind }) => kind === "product")) };
};

/** Several products of one request, each with its own terms; null where they share them all. */
export const groupsOf = (request: Request): readonly Group[] | null => {
  if (request.said.products.length < 2) return null;
  const { head, groups } = groupsIn(request.said.entities);
  const sized = groups.filter((group) => isIn(sizes, group));
  const timed = groups.filter((group) => group.some(({ kind }) => kind === "period"));
  if (groups.length < 2 || (sized.length < 2 && timed.length < 2)) return null;
  // What only the last one has stands behind the whole list.
  const shared = (kind: Entity["kind"]): readonly Entity[] => {
    const having = groups.filter((group) => group.some((one) => one.kind === kind));
    return having.length === 1 && having[0] === groups.at(-1)
      ? (having[0]?.filter((one) => one.kind === kind) ?? [])
      : [];
  };
  const common = [...head, ...shared("period"), ...shared("dealType")];
  return groups.flatMap((group): readonly Group[] => {
    const extra = common.filter((one) => !group.some(({ kind }) => kind === one.kind) && !sizes.has(one.kind));
    const rest = request.said.entities.filter(({ kind }) => kind === "audience" || kind === "geo");
    const said = saidBy([...group, ...extra, ...rest]);
    const [id, ambiguous] = said.products.flatMap(({ ids }) => ids);
    return id === undefined || ambiguous !== undefined ? [] : [{ said, id }];
  });
};

const mostLines = 8;

const sumText = (lines: readonly Spoken[], budget: number | null): string => {
  const sales = lines.flatMap(({ outcome, result }) => (outcome === "quoted" ? [saleIn(result as Slots)] : []));
  const [first] = sales;
  if (first === undefined || sales.length < 2 || sales.some(({ currency }) => currency !== first.currency)) return "";
  const total = sales.reduce((sum, sale) => sum + Math.round((totalOf(sale) ?? 0) * 100), 0) / 100;
  return budget === null
    ? `Together that is ${money(total, first.currency)}.`
    : `The plan comes to ${money(total, first.currency)} of ${money(budget, first.currency)}.`;
};

/** One quote a line, and their sum. */
export const withSum = (lines: readonly Spoken[], budget: number | null): readonly Spoken[] => {
  const sum = sumText(lines, budget);
  return sum === ""
    ? lines
    : lines.map((line, at) => (at === lines.length - 1 ? { ...line, text: `${line.text}\n${sum}` } : line));
};

/** Shares of a budget by percent, by sums of their own, or equal. */
const sharesOf = (
  talk: Talk,
  budget: number,
): readonly { readonly id: string; readonly budget: number; readonly terms: Slots }[] => {
  const groups = groupsOf(talk.request);
  const shares = talk.request.said.percents;
  const listed = talk.request.said.products.flatMap(({ ids }) => ids.slice(0, 1));
  // "CTV, homepage and native, 50/30/20".
  if (
    shares.length === listed.length &&
    shares.length > 1 &&
    groups?.every(({ said }) => said.percents.length === 1) !== true
  )
    return listed.map((id, at) => ({ id, budget: Math.floor(budget * (shares[at] ?? 0)) / 100, terms: {} }));
  const total = talk.request.said.percents.reduce((sum, one) => sum + one, 0);
  if (groups !== null && groups.length > 1) {
    const named = groups.map(({ id, said }) => {
      const percent = said.percents[0];
      const share =
        percent !== undefined
          ? (budget * percent) / 100
          : (said.budget ?? (said.volumes[0] !== undefined && said.volumes[0] < budget ? said.volumes[0] : null));
      return { id, share, terms: said.flight };
    });
    const rest = budget - named.reduce((sum, { share }) => sum + (share ?? 0), 0);
    const open = named.filter(({ share }) => share === null).length;
    return named.map(({ id, share, terms }) => ({
      id,
      budget: Math.floor(100 * (share ?? Math.max(0, rest) / Math.max(1, open))) / 100,
      terms,
    }));
  }
  const [percent] = talk.request.said.percents;
  if (talk.ids.length === 2 && talk.request.said.percents.length === 1 && percent !== undefined && total < 100)
    return talk.ids.map((id, at) => ({
      id,
      budget: Math.floor(at === 0 ? budget * percent : budget * (100 - percent)) / 100,
      terms: {},
    }));
  // A kind stands for its first product.
  const named = talk.request.said.products.flatMap(({ ids, inventoryType }) =>
    inventoryType === null ? ids : ids.slice(0, 1),
  );
  const ids = named.length > 0 ? [...new Set(named)] : talk.ids;
  const each = Math.floor((budget * 100) / Math.max(1, ids.length)) / 100;
  return ids.map((id) => ({ id, budget: each, terms: {} }));
};

/** A budget over several products: the price is asked first, so that no line costs more than its share. */
export const plan = async (talk: Talk): Promise<readonly Spoken[]> => {
  const known = talk.terms["budget"] ?? talk.memory.budget;
  const budget = typeof known === "number" ? known : null;
  const groups = groupsOf(talk.request);
  const sum =
    groups?.every(({ said }) => said.budget !== null) === true
      ? groups.reduce((total, { said }) => total + (said.budget ?? 0), 0)
      : null;
  const all = sum ?? budget;
  if (talk.request.said.currency !== null && talk.request.said.currency !== "USD")
    return [
      clarify("pricing", "Prices are in USD here, and other currencies are not converted. Which budget in USD?", {
        learnt: { budget: null },
        about: without(talk.terms, "budget"),
        reason: "currency_mismatch",
      }),
    ];
  if (all === null) return [clarify("pricing", "For which budget shall I plan?", { reason: "missing_budget" })];
  if (talk.ids.length === 0) {
    const { items } = await itemsOf(talk);
    const names = items.slice(0, 13).map(({ name }) => name);
    return [
      clarify("pricing", `Over which products shall I spread ${money(all)}? On sale: ${names.join("; ")}.`, {
        learnt: { budget: all },
        reason: "missing_product",
        rows: items.map(({ product_id: product }) => ({ product, record: null, cpm: null, total: null })),
      }),
    ];
  }
  const lines: Spoken[] = [];
  for (const share of sharesOf(talk, all).slice(0, mostLines)) {
    const terms = {
      ...pick(talk.terms, ["flight_start", "flight_end", "deal_type", "audience", "geo"]),
      ...share.terms,
      product_id: share.id,
      budget: share.budget,
    };
    const line = await quoteOne({ ...talk, ids: [share.id], terms }, share.id);
    lines.push(line.about === undefined ? line : { ...line, about: { ...line.about, budget: all } });
  }
  return withSum(
    lines.length > 1
      ? lines.map((line, at) => (at === lines.length - 1 ? { ...line, learnt: { ...line.learnt, budget: all } } : line))
      : lines,
    all,
  );
};
