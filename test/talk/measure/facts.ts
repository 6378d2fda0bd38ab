import { type Fact, listOf } from "./case.ts";
import { mentions } from "./catalog.ts";
import { isNear, moneyIn, numbersIn, type Reply, toNumber } from "./reply.ts";

type IdsOfTurns = readonly ReadonlyMap<string, ReadonlySet<string>>[];

const priceKeys =
  /^(?:final_cpm|final_price|seller_price|proposed_price|counter_price|offer_cpm|price|cpm|agreed_price|agreed_cpm|negotiated_cpm|bidfloor|unit_price|exact_price)$/;

const idForms: Readonly<Record<string, RegExp>> = {
  quote: /\bqt-[0-9a-f]{12}\b/g,
  proposal: /\bprop-[0-9a-f]{8}\b/g,
  deal: /\b(?!ORD-)[A-Z]{3,6}-[0-9A-F]{12}\b/g,
};

const idsIn = ({ text, leaves }: Reply, kind: string): ReadonlySet<string> => {
  const named = leaves.filter(([key, value]) => key === `${kind}_id` && typeof value === "string" && value !== "");
  return new Set([...named.map(([, value]) => String(value)), ...(text.match(idForms[kind] ?? /$^/g) ?? [])]);
};

export const idsOf = (reply: Reply): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(Object.keys(idForms).map((kind) => [kind, idsIn(reply, kind)]));

const figures = ({ leaves }: Reply): readonly number[] =>
  leaves.map(([, value]) => toNumber(value)).filter((one) => !Number.isNaN(one));

const hasRange = (reply: Reply, [low, high]: readonly [number, number]): boolean => {
  const inStrings = reply.leaves.flatMap(([, value]) => (typeof value === "string" ? numbersIn(value) : []));
  const has = (all: readonly number[], one: number): boolean => all.some((number) => isNear(number, one, 0.5));
  return [reply.numbers, inStrings, figures(reply)].some((all) => has(all, low) && has(all, high));
};

const hasBetween = (reply: Reply, { between = [0, 0], keys }: Fact): boolean => {
  const isBetween = (one: number): boolean => one >= between[0] - 0.0051 && one <= between[1] + 0.0051;
  const isPrice = (key: string): boolean => (keys === undefined ? priceKeys.test(key) : keys.includes(key));
  const inText = keys === undefined ? moneyIn(reply.text) : reply.numbers;
  return reply.leaves.some(([key, value]) => isPrice(key) && isBetween(toNumber(value))) || inText.some(isBetween);
};

const hasKey = ({ leaves }: Reply, { key, value }: Fact): boolean =>
  leaves.some(
    ([name, is]) => name === key && (value === undefined || is === value || isNear(toNumber(is), toNumber(value))),
  );

const bodyOf = ({ datas }: Reply): string =>
  JSON.stringify(datas.map(({ understood: _understood, options: _options, ...rest }) => rest));

const sameIds = (reply: Reply, kind: string, of: ReadonlySet<string> | undefined, every: boolean): boolean => {
  const ids = [...idsIn(reply, kind)];
  const isIn = (id: string): boolean => of?.has(id) === true;
  return every ? ids.every(isIn) : ids.some(isIn);
};

export const holds = (fact: Fact, reply: Reply, before: IdsOfTurns): boolean => {
  const on = (one: Fact): boolean => holds(one, reply, before);
  const idsAt = (kind: string) => before[(fact.turn ?? 1) - 1]?.get(kind);
  if (fact.any !== undefined) return fact.any.some(on);
  if (fact.all !== undefined) return fact.all.every(on);
  if (fact.not !== undefined) return !on(fact.not);
  if (fact.number !== undefined)
    return [...reply.numbers, ...figures(reply)].some((one) => isNear(one, fact.number ?? 0));
  if (fact.money !== undefined)
    return [...moneyIn(reply.text), ...figures(reply)].some((one) => isNear(one, fact.money ?? 0));
  if (fact.range !== undefined) return hasRange(reply, fact.range);
  if (fact.between !== undefined) return hasBetween(reply, fact);
  if (fact.id !== undefined) return idsIn(reply, fact.id).size > 0;
  if (fact.same !== undefined) return sameIds(reply, fact.same, idsAt(fact.same), false);
  if (fact.only !== undefined) return sameIds(reply, fact.only, idsAt(fact.only), true);
  if (fact.mentions !== undefined) return listOf(fact.mentions).every((id) => mentions(reply, id));
  if (fact.some_of !== undefined) return fact.some_of.filter((id) => mentions(reply, id)).length >= (fact.n ?? 1);
  if (fact.key !== undefined) return hasKey(reply, fact);
  if (fact.text !== undefined) return new RegExp(fact.text, "iu").test(reply.text);
  if (fact.data !== undefined) return new RegExp(fact.data, "iu").test(bodyOf(reply));
  throw new Error(`unknown fact ${JSON.stringify(fact)}`);
};
