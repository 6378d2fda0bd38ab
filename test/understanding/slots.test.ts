import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plainConsent } from "../../skills/understanding/reading/consent.ts";
import { noTable, tableOf } from "../../skills/understanding/reading/table/table.ts";
import { inContext, type Standing } from "../../skills/understanding/reading/in-context.ts";
import { createProductFinder } from "../../skills/understanding/reading/product-finder.ts";
import { type Heard, hear } from "../../skills/understanding/reading/slots.ts";
import { canaryProducts } from "../secrecy/canaries.ts";
import { startMs } from "../skills/world.ts";

/** Everything that the sentence says; what is absent must not be read out of it. */
interface Gold {
  readonly say: string;
  readonly volume?: number;
  readonly cpm?: number;
  readonly budget?: number;
  readonly flight?: readonly [string | null, string | null];
  readonly type?: string;
  readonly audience?: string;
  readonly geo?: string;
  readonly ids?: readonly string[];
  /** A price only where an offer is made. */
  readonly bare?: number;
  readonly cut?: number;
  readonly currency?: string;
  readonly products?: readonly string[];
  readonly excluded?: readonly string[];
  /** What has to be asked about. */
  readonly left?: readonly string[];
  /** What is named as not used. */
  readonly aside?: readonly string[];
  /** What was asked or shown before. */
  readonly after?: string;
}

/** A message with several products, or one that may be taken for a yes. */
interface Whole {
  readonly say: string;
  readonly parts?: readonly Omit<Gold, "say">[];
  readonly consents?: boolean;
}

interface AfterSet {
  readonly situations: Readonly<Record<string, Standing>>;
  readonly groups: readonly { readonly name: string; readonly cases: readonly (Gold & Whole)[] }[];
}

interface SlotSet {
  readonly products: Readonly<Record<string, string>>;
  readonly groups: readonly { readonly name: string; readonly cases: readonly Gold[] }[];
}

const setOf = (file: string): SlotSet =>
  JSON.parse(readFileSync(join(import.meta.dirname, "sets", file), "utf8")) as SlotSet;

const afterSet = JSON.parse(readFileSync(join(import.meta.dirname, "sets", "slots-after.json"), "utf8")) as AfterSet;
const { products, groups } = setOf("slots.json");
const later = ["slots-later.json", "slots-third.json"].flatMap((file) => setOf(file).groups);
const finder = createProductFinder(canaryProducts);
const idNames = ["quote_id", "proposal_id", "negotiation_id", "deal_id"];

const idsOf = (names: readonly string[] = []): readonly string[] =>
  names.map((name) => products[name] ?? name).toSorted();

const wantedOf = (gold: Omit<Gold, "say">) => ({
  volume: gold.volume,
  cpm: gold.cpm,
  budget: gold.budget,
  flight: gold.flight ?? [null, null],
  type: gold.type,
  audience: gold.audience,
  geo: gold.geo,
  ids: gold.ids ?? [],
  bare: gold.bare ?? null,
  cut: gold.cut ?? null,
  currency: gold.currency ?? null,
  products: idsOf(gold.products),
  excluded: idsOf(gold.excluded),
});

const readOf = ({ slots, barePrice, priceCut, currency, inventory, excluded }: Heard) => ({
  volume: slots["impressions"],
  cpm: slots["target_cpm"],
  budget: slots["budget"],
  flight: [slots["flight_start"] ?? null, slots["flight_end"] ?? null],
  type: slots["deal_type"],
  audience: slots["audience"],
  geo: slots["geo"],
  ids: idNames.flatMap((name) => slots[name] ?? []),
  bare: barePrice,
  cut: priceCut?.percent ?? null,
  // The products' own currency is no news.
  currency: currency === "USD" ? null : currency,
  products: idsOf(inventory.flatMap((one) => one.products.map(({ product_id: id }) => id))),
  excluded: [...excluded].toSorted(),
});

/** Empty where all of it is named, and nothing more is asked about. */
const unnamedOf = ({ left = [], aside = [] }: Gold, { leftovers }: Heard): readonly string[] => {
  const isNamed = (words: string, texts: readonly string[]): boolean => texts.some((text) => text.includes(words));
  const binding = leftovers.filter(({ isBinding, isBarePrice, isCut }) => isBinding && !isBarePrice && isCut !== true);
  const bindingTexts = binding.map(({ text }) => text);
  return [
    ...left.filter((words) => !isNamed(words, bindingTexts)).map((words) => `"${words}" is not asked about`),
    ...aside
      .filter(
        (words) =>
          !isNamed(
            words,
            leftovers.map(({ text }) => text),
          ),
      )
      .map((words) => `"${words}" is lost`),
    ...bindingTexts.filter((text) => !left.some((words) => text.includes(words))).map((text) => `asks about "${text}"`),
  ];
};

describe.each([...groups, ...later])("$name", ({ cases }) => {
  test.each(cases.map((one) => [one.say, one] as const))("%s", (_, gold) => {
    const heard = hear(gold.say, finder, startMs);
    expect({ ...readOf(heard), unnamed: unnamedOf(gold, heard) }).toStrictEqual({ ...wantedOf(gold), unnamed: [] });
  });
});

const hearPart = (text: string): Heard => hear(text, finder, startMs);

describe.each(afterSet.groups)("$name", ({ cases }) => {
  test.each(cases.map((one) => [one.say, one] as const))("%s", (_, gold) => {
    const { say, parts, consents, after } = gold;
    if (consents !== undefined) {
      expect(plainConsent(say) !== null).toBe(consents);
    } else if (parts === undefined) {
      const standing = after === undefined ? undefined : afterSet.situations[after];
      const heard = standing === undefined ? hearPart(say) : inContext(hearPart(say), standing);
      expect({ ...readOf(heard), unnamed: unnamedOf(gold, heard) }).toStrictEqual({ ...wantedOf(gold), unnamed: [] });
    } else {
      const items = tableOf(say, "quote", { hear: hearPart, standing: noTable })?.rows ?? [say];
      expect(items.map((part) => readOf(hearPart(part)))).toStrictEqual(parts.map(wantedOf));
    }
  });
});
