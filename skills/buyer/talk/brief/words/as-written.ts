import type { BriefInput } from "../input.ts";

/** A text without its accents, and where each of its characters stood. */
const plainOf = (raw: string): { readonly text: string; readonly places: readonly number[] } => {
  let text = "";
  const places: number[] = [];
  let at = 0;
  for (const sign of raw) {
    const plain = sign
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .replace(/[’‘´`]/g, "'");
    text += plain;
    for (let place = 0; place < plain.length; place += 1) places.push(at);
    at += sign.length;
  }
  return { text, places: [...places, raw.length] };
};

/** What a foreign text says for them is read as these. */
const translated = new Set("with and for the on without all only also except not no but in of".split(" "));

const patternOf = (value: string): RegExp => {
  const words = value.split(/\s+/).map((word) => {
    const literal = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return translated.has(word.toLowerCase()) ? `(?:${literal}|[^\\s,.;]{1,12})` : literal;
  });
  return new RegExp(words.join("\\s+"), "i");
};

const written = (value: string, raw: string): string => {
  const { text, places } = plainOf(raw);
  const match = value.trim() === "" ? null : patternOf(value).exec(text);
  return match === null ? value : raw.slice(places[match.index], places[match.index + match[0].length]);
};

/** The names and people of a brief with the accents and words of the message that they were read from. */
export const asWritten = (brief: BriefInput, raw: string): BriefInput => {
  const { name, advertiser, target_audience: audience } = brief;
  const known = audience?.["description"];
  const people = typeof known === "string" ? known.split(", ").map((one) => written(one, raw)) : [];
  return {
    ...brief,
    ...(name === undefined ? {} : { name: written(name, raw) }),
    ...(advertiser == null ? {} : { advertiser: written(advertiser, raw) }),
    ...(people.length === 0 ? {} : { target_audience: { ...audience, description: people.join(", ") } }),
  };
};
