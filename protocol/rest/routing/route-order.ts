const rankOf = (segment: string | undefined): number => {
  if (segment === undefined) return 3;
  if (segment.includes("*")) return 2;
  return /[:{}()]/.test(segment) ? 1 : 0;
};

/** Literals before parameters before wildcards. */
export const bySpecificity = (left: string, right: string): number => {
  const ours = left.split("/");
  const theirs = right.split("/");
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const difference = rankOf(ours[at]) - rankOf(theirs[at]);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** Parameter names aside; `\\:` is a colon of the path. */
export const shapeOf = (path: string): string => path.replace(/(?<!\\)([:*])[A-Za-z_]\w*/g, "$1");
