/** Whether the path has no parameter, wildcard or optional part in the router's grammar. */
export const isStatic = (path: string): boolean => !/[:*{}()]/.test(path);

const rankOf = (segment: string): number => {
  if (segment.includes("*")) return 2;
  return isStatic(segment) ? 0 : 1;
};

/** Sorts paths so that a literal segment is tried before a parameter, and a parameter before a wildcard. */
export const bySpecificity = (left: string, right: string): number => {
  const ours = left.split("/");
  const theirs = right.split("/");
  for (let at = 0; at < Math.min(ours.length, theirs.length); at += 1) {
    const difference = rankOf(String(ours[at])) - rankOf(String(theirs[at]));
    if (difference !== 0) return difference;
  }
  return 0;
};
