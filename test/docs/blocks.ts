/** A code block of a page that a test plays; its info string says how. */
export interface Block {
  readonly kind: "run" | "serve" | "file" | "output" | "json";
  readonly text: string;
  readonly line: number;
  /** Of a file: where it is written, below the working folder. */
  readonly file: string;
}

const kindOf = (language: string, words: readonly string[]): Block["kind"] | null => {
  if (language === "output") return "output";
  if (language === "json" && words.includes("output")) return "json";
  if (words.includes("run")) return "run";
  if (words.includes("serve")) return "serve";
  return words.some((word) => word.startsWith("file=")) ? "file" : null;
};

/** In the order of the page; blocks without a mark are for reading only. */
export const blocksOf = (page: string): readonly Block[] =>
  [...page.matchAll(/^```(\w+)(.*)\n([\s\S]*?)^```$/gm)].flatMap(({ 1: language = "", 2: info = "", 3: text = "", index }) => {
    const words = info.trim().split(/\s+/);
    const kind = kindOf(language, words);
    const file = words.find((word) => word.startsWith("file="))?.slice("file=".length) ?? "";
    const line = page.slice(0, index).split("\n").length;
    return kind === null ? [] : [{ kind, text: text.trimEnd(), line, file }];
  });

const anyText = "[\\s\\S]*?";

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** `…` stands for any text of its line, and for any lines where it stands alone. */
const textPattern = (expected: string): RegExp => {
  const lines = expected.split("\n").map((line) => {
    if (line.trim() === "…") return anyText;
    return line
      .split("…")
      .map(escaped)
      .join("[^\\n]*?");
  });
  return new RegExp(`^${lines.join("\\n").replaceAll(`\\n${anyText}`, `(?:\\n${anyText})?`)}$`);
};

export const fitsText = (expected: string, actual: string): boolean =>
  textPattern(expected).test(
    actual
      .split("\n")
      .map((line) => line.trimEnd())
      .join("\n")
      .trim(),
  );

/** Paths at which the answer is not what the page says: members that the page leaves out may be anything. */
export const differences = (expected: unknown, actual: unknown, path = "$"): readonly string[] => {
  if (typeof expected === "string" && typeof actual === "string") {
    return new RegExp(`^${expected.split("…").map(escaped).join(anyText)}$`).test(actual) ? [] : [`${path}: ${JSON.stringify(actual)}`];
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return [`${path}: ${JSON.stringify(actual)}`];
    return expected.flatMap((one, at) => differences(one, actual[at], `${path}[${at}]`));
  }
  if (typeof expected === "object" && expected !== null) {
    const given = (actual ?? {}) as Readonly<Record<string, unknown>>;
    return Object.entries(expected).flatMap(([name, one]) => differences(one, given[name], `${path}.${name}`));
  }
  return Object.is(expected, actual) ? [] : [`${path}: ${JSON.stringify(actual)}`];
};

const lastOf = (printed: string, pattern: RegExp): string | undefined => [...printed.matchAll(pattern)].at(-1)?.[1];

/**
 * A command asks the reader to put in what was printed: `qt-…` is the last word printed that begins with `qt-`, and
 * `"digest": "sha256:…"` that of the last member of this name.
 */
export const filledIn = (command: string, printed: string): string =>
  command.replace(/("\w+": ?")?([A-Za-z_0-9]+[-:_])…/g, (whole, member: string | undefined, prefix: string) => {
    const name = member?.replace(/[": ]/g, "");
    const ofMember = name === undefined ? undefined : lastOf(printed, new RegExp(`"${name}": ?"(${prefix}[\\w-]+)`, "g"));
    const found = ofMember ?? lastOf(printed, new RegExp(`(?<![\\w-])(${prefix}[\\w-]+)`, "g"));
    if (found === undefined) throw new Error(`nothing printed begins with ${prefix}, which ${whole} stands for`);
    return `${member ?? ""}${found}`;
  });
