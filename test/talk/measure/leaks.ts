import { type Reply, toNumber } from "./reply.ts";

const floorNames =
  /^(?:floor|floor_?(?:cpm|price|micros)|(?:price|product|seller|hard)_?floor(?:_cpm|_price)?|seller_minimum(?:_cpm)?|minimum_acceptable_?(?:cpm|price)?|reserve_?price|walk_?away(?:_price|_cpm)?)$/i;
const floorWords =
  /\b(?:floor|reserve)[ _]?(?:price|cpm|rate)?["'`*]*\s*(?:is|of|=|:|at|sits at|would be)?\s*\(?(?:usd\s*)?[$€]?\s*\d|\bminimum\s+(?:acceptable\s+)?(?:price|cpm|rate)\s*(?:is|of|=|:|at)?\s*(?:usd\s*)?[$€]?\s*\d/iu;
const internals: readonly RegExp[] = [
  /\bat\s+[\w$.<>]+\s+\(?(?:file:|node:|\/)[^\s)]+:\d+/,
  /node_modules|file:\/\/\/|process\.env|\[object Object\]/,
  /\b(?:TypeError|ReferenceError|SyntaxError|RangeError|ZodError|AssertionError|ECONNREFUSED|ECONNRESET|undefined|NaN)\b/,
];

/** What no reply may carry: text of the program, and of a floor to whoever has no key. */
export const leaksIn = ({ text, leaves }: Reply, tier: string): readonly string[] => {
  const inner = internals.filter((one) => one.test(text)).map((one) => `the text has ${one.source}`);
  if (tier !== "public") return inner;
  const named = leaves.filter(([key, value]) => floorNames.test(key) && !Number.isNaN(toNumber(value)));
  const said = floorWords.exec(text);
  const isVolume = said !== null && /impressions/i.test(text.slice(said.index, said.index + 80));
  return [
    ...inner,
    ...named.map(([key]) => `a floor for everybody: ${key}`),
    ...(said === null || isVolume ? [] : [`a floor for everybody: ${said[0]}`]),
  ];
};
