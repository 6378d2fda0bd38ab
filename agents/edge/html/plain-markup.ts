const blank = "[\\t\\n\\f\\r ]";

/** A name that is none of `names`. What ends it is looked at too: a longer name may begin like one of them. */
const nameBut = (names: Iterable<string>, rest: string): string =>
  `(?!(?:${[...names].join("|")})[\\t\\n\\f\\r =/>])[a-z]${rest}*`;

/**
 * Matches text and tags from an offset on (`lastIndex`) up to the first tag that may matter: one of the elements
 * `names`, with one of `attributes`, or written in any but the ordinary way, which is also how an incomplete tag looks.
 * The engine passes over ordinary markup in a fraction of the time that reading its parts takes. `leftAlone`: source of
 * an expression for values, between double quotes, with which the attributes do not matter.
 */
export const createPlainMarkup = (
  names: Iterable<string>,
  attributes: ReadonlySet<string>,
  leftAlone: string | undefined,
): RegExp => {
  const other = `${nameBut(attributes, "[\\w:-]")}(?:="[^"]*")?`;
  const asked = leftAlone === undefined ? "" : `|(?:${[...attributes].join("|")})="${leftAlone}"`;
  const tag = `</?${nameBut(names, "[\\w:-]")}(?:${blank}+(?:${other}${asked}))*${blank}*>`;
  return new RegExp(`[^<]*(?:${tag}[^<]*)*`, "iy");
};
