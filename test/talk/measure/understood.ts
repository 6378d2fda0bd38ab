import { listOf, type Members, type Want } from "./case.ts";
import { catalog, isLoneOfType, typeOf } from "./catalog.ts";
import { isNear, type Reply, squash, toNumber } from "./reply.ts";

const aliases: Readonly<Record<string, readonly string[]>> = {
  cpm: ["target_cpm", "price", "buyer_price", "cpm", "max_cpm"],
  flight_start: ["flight_start", "start_date"],
  flight_end: ["flight_end", "end_date"],
  impressions: ["impressions", "volume", "requested_impressions"],
  product_id: ["product_id", "product_ids"],
};

const flat = (value: unknown): readonly unknown[] => {
  if (value === null || value === undefined || value === "") return [];
  return Array.isArray(value) ? value.flatMap(flat) : [value];
};

/** What the reply understood of a slot, in all its parts. */
const valuesOf = ({ datas }: Reply, slot: string): readonly unknown[] =>
  datas.flatMap(({ understood }) =>
    (aliases[slot] ?? [slot]).flatMap((name) => flat((understood as Members | undefined)?.[name])),
  );

const dealTypes: Readonly<Record<string, string>> = {
  programmaticguaranteed: "pg",
  guaranteed: "pg",
  preferreddeal: "pd",
  preferred: "pd",
  privateauction: "pa",
};

const dealType = (value: unknown): string => dealTypes[squash(value)] ?? squash(value);

const words = (value: unknown): string =>
  ` ${JSON.stringify(value)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `;

const isSame = (slot: string, is: unknown, wanted: unknown): boolean => {
  switch (slot) {
    case "impressions":
    case "cpm":
    case "budget":
      return isNear(toNumber(is), Number(wanted));
    case "flight_start":
    case "flight_end":
      return String(is).slice(0, 10) === wanted;
    case "deal_type":
      return dealType(is) === dealType(wanted);
    case "inventory_type":
    case "audience":
      return squash(is).includes(squash(wanted));
    case "geo":
      return words(is).includes(words(wanted).trim());
    default:
      return String(is) === String(wanted);
  }
};

const every = (wanted: unknown): readonly unknown[] | null =>
  typeof wanted === "object" && wanted !== null && "all" in wanted ? flat(wanted.all) : null;

const fits = (slot: string, wanted: unknown, values: readonly unknown[]): boolean => {
  const all = every(wanted);
  const any = (one: unknown): boolean => values.some((value) => isSame(slot, value, one));
  return all === null ? listOf(wanted).some(any) : all.every(any);
};

/** Its id, or its kind where only it is of that kind. */
const productProblem = (reply: Reply, wanted: unknown, isOptional: boolean): readonly string[] => {
  const all = every(wanted);
  const right = (all ?? listOf(wanted)).map(String);
  const ids = valuesOf(reply, "product_id").map(String);
  const types = valuesOf(reply, "inventory_type").map(squash);
  const isOfType = (id: string): boolean => isLoneOfType(id) && types.includes(squash(typeOf(id)));
  const named = (id: string): boolean => ids.includes(id) || reply.leaves.some(([, value]) => value === id);
  const stray = ids.filter((id) => !right.includes(id));
  const isMet =
    all === null
      ? right.some((id) => ids.includes(id) || isOfType(id))
      : right.every((id) => named(id) || isOfType(id));
  if (isMet && stray.length === 0) return [];
  if (ids.length === 0 && isOptional) return [];
  return [`product: want ${right.join(", ")}, understood ${[...ids, ...types].join(", ") || "none"}`];
};

const typeProblem = (reply: Reply, wanted: unknown, isOptional: boolean): readonly string[] => {
  const types = listOf(wanted).map(String);
  const ids = valuesOf(reply, "product_id").map(String);
  const values = valuesOf(reply, "inventory_type");
  const isMet = values.length > 0 ? fits("inventory_type", wanted, values) : ids.length > 0;
  const stray = ids.filter((id) => !types.includes(typeOf(id) ?? ""));
  if ((isMet || isOptional) && (stray.length === 0 || isOptional)) return [];
  return [`inventory_type: want ${types.join(" or ")}, understood ${[...values, ...ids].join(", ") || "none"}`];
};

/** Slots that nobody named, and that are neither carried over nor follow from what is known. */
const judgedWhenAbsent = ["impressions", "budget", "cpm", "flight_start", "flight_end", "product_id"] as const;

const isDefault = (slot: string, values: readonly unknown[], known: Members, numbers: readonly number[]): boolean => {
  if (slot in known && fits(slot, known[slot], values)) return true;
  switch (slot) {
    case "impressions":
      return "budget" in known;
    case "budget":
      return "impressions" in known;
    case "cpm":
      return values.every((value) => numbers.some((one) => isNear(one, toNumber(value))));
    case "product_id": {
      const right = flat(every(known["product"]) ?? known["product"]);
      const isOfKind = (id: unknown): boolean => flat(known["inventory_type"]).includes(catalog.get(String(id))?.type);
      return values.every((id) => right.includes(id) || isOfKind(id));
    }
    default:
      return values.every((value) => /^2027-(?:01-1[56]|02-1[2345])/.test(String(value)));
  }
};

/** `known`: terms of earlier turns; `numbers`: figures that earlier replies said. */
export const understoodProblems = (
  { understood = {}, only, absent = [] }: Want,
  reply: Reply,
  { known, numbers }: { readonly known: Members; readonly numbers: readonly number[] },
): readonly string[] => {
  const problems = Object.entries(understood).flatMap(([key, wanted]): readonly string[] => {
    const isOptional = key.startsWith("?");
    const slot = isOptional ? key.slice(1) : key;
    if (slot === "product") return productProblem(reply, wanted, isOptional);
    if (slot === "inventory_type") return typeProblem(reply, wanted, isOptional);
    const values = valuesOf(reply, slot);
    if (values.length === 0 ? isOptional : fits(slot, wanted, values)) return [];
    return [`${slot}: want ${JSON.stringify(wanted)}, understood ${JSON.stringify(values)}`];
  });
  const named = new Set(Object.keys(understood).map((key) => key.replace(/^\?/, "")));
  const isNamed = (slot: string): boolean =>
    named.has(slot) || (slot === "product_id" && (named.has("product") || named.has("inventory_type")));
  const stray = judgedWhenAbsent.filter((slot) => {
    const values = valuesOf(reply, slot);
    return (
      only === true &&
      !isNamed(slot) &&
      values.length > 0 &&
      !isDefault(slot, values, { ...known, ...understood }, [...numbers, ...reply.numbers])
    );
  });
  const back = absent.filter((slot) => valuesOf(reply, slot).length > 0);
  return [
    ...problems,
    ...[...stray, ...back].map(
      (slot) => `${slot}: nobody said it, understood ${JSON.stringify(valuesOf(reply, slot))}`,
    ),
  ];
};
