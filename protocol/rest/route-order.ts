const rankOf = (segment: string | undefined): number => {
  if (segment === undefined) return 3;
  if (segment.includes("*")) return 2;
  return /[:{}()]/.test(segment) ? 1 : 0;
};

/** Sorts paths so that a literal segment is tried before a parameter, and a parameter before a wildcard. */
export const bySpecificity = (left: string, right: string): number => {
  const ours = left.split("/");
  const theirs = right.split("/");
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const difference = rankOf(ours[at]) - rankOf(theirs[at]);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** What a path matches, whatever its parameters are called. */
export const shapeOf = (path: string): string => path.replace(/([:*])[A-Za-z_]\w*/g, "$1");
