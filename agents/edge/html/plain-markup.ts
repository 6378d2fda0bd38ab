const BLANK = "[\\t\\n\\f\\r ]";

/** A name that is none of `names`. What ends it is looked at too: a longer name may begin like one of them. */
const nameBut = (names: Iterable<string>, rest: string): string =>
  `(?!(?:${[...names].join("|")})[\\t\\n\\f\\r =/>])[a-z]${rest}*`;

/**
 * Matches text and tags from an offset on (`lastIndex`) up to the first tag that may matter: one of the elements
 * `names`, with one of `attributes`, or written in any but the ordinary way, which is also how an incomplete tag looks.
 * The engine passes over ordinary markup in a fraction of the time that reading its parts takes.
 */
export const createPlainMarkup = (names: Iterable<string>, attributes: Iterable<string>): RegExp => {
  const attribute = `${BLANK}+${nameBut(attributes, "[\\w:-]")}(?:="[^"]*")?`;
  const tag = `</?${nameBut(names, "[\\w:-]")}(?:${attribute})*${BLANK}*>`;
  return new RegExp(`[^<]*(?:${tag}[^<]*)*`, "iy");
};
