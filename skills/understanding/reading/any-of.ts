/** One pattern out of several, with the flags of the first, so that each stands on a line that can be read. */
export const anyOf = (first: RegExp, ...others: readonly RegExp[]): RegExp =>
  new RegExp([first, ...others].map(({ source }) => source).join("|"), first.flags);
