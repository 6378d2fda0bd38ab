/** So that each alternative stands on a readable line; the flags are the first's. */
export const anyOf = (first: RegExp, ...others: readonly RegExp[]): RegExp =>
  new RegExp([first, ...others].map(({ source }) => source).join("|"), first.flags);
