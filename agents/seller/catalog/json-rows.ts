/** One element of a JSON array, and the line on which it starts. */
export interface JsonRow {
  readonly line: number;
  readonly value: unknown;
}

/** Strings, line ends, and every other character that is no blank. */
const tokens = /"(?:[^"\\]|\\.)*"|\n|[^\s"]/g;

/** The lines on which the elements of the array start whose bracket opens at this nesting depth. */
const elementLines = (text: string, arrayDepth: number): readonly number[] => {
  const lines: number[] = [];
  let line = 1;
  let depth = 0;
  let expecting = false;
  for (const [token] of text.matchAll(tokens)) {
    if (token === "\n") {
      line += 1;
      continue;
    }
    if (expecting && token !== "]") lines.push(line);
    expecting = false;
    if (token === "[" || token === "{") depth += 1;
    if ((token === "[" || token === ",") && depth === arrayDepth) expecting = true;
    if (token === "]" || token === "}") depth -= 1;
  }
  return lines;
};

/**
 * The elements of a JSON text that is an array, or an object whose only member `products` is one, each with its line.
 * Null: it is something else. Throws what `JSON.parse` throws.
 */
export const parseJsonRows = (text: string): readonly JsonRow[] | null => {
  const whole: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  const list = Array.isArray(whole) ? whole : productsOf(whole);
  if (list === null) return null;
  const lines = elementLines(text, Array.isArray(whole) ? 1 : 2);
  return list.map((value: unknown, index) => ({ line: lines[index] ?? 0, value }));
};

const productsOf = (whole: unknown): readonly unknown[] | null => {
  if (typeof whole !== "object" || whole === null) return null;
  const [[name, list] = []] = Object.entries(whole);
  return name === "products" && Array.isArray(list) && Object.keys(whole).length === 1 ? list : null;
};

/** A member that an object of a JSON text names again, and the line of the second time. */
interface DoubledMember {
  readonly line: number;
  readonly name: string;
}

/**
 * The members that any object of a JSON text names twice, of which `JSON.parse` keeps the last without a word. What it
 * says of a text that is no JSON means nothing.
 */
export const doubledMembers = (text: string): readonly DoubledMember[] => {
  const doubled: DoubledMember[] = [];
  /** The names so far of each object around the place; null for an array. */
  const around: (Set<string> | null)[] = [];
  let line = 1;
  let before = "";
  for (const [token] of text.matchAll(tokens)) {
    if (token === "\n") {
      line += 1;
      continue;
    }
    const names = around.at(-1) ?? null;
    if (names !== null && token.startsWith('"') && (before === "{" || before === ",")) {
      const name = JSON.parse(token) as string;
      if (names.has(name)) doubled.push({ line, name });
      names.add(name);
    }
    if (token === "{") around.push(new Set());
    else if (token === "[") around.push(null);
    else if (token === "}" || token === "]") around.pop();
    before = token;
  }
  return doubled;
};
