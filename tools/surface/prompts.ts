/** Values are offered from the items of a list operation. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The resource whose ids complete it. */
  readonly resource?: string;
}

export interface PromptKind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operatorsOnly: boolean;
  readonly arguments: readonly PromptArgument[];
  /** `{name}` is an argument; a line whose argument is missing is left out. */
  readonly lines: readonly string[];
}

const longestValue = 2000;

/** A value stands in quotes: it is data of the user, and one line. */
export const promptText = ({ lines }: PromptKind, args: Readonly<Record<string, string>>): string =>
  lines
    .filter((line) => [...line.matchAll(/\{(\w+)\}/g)].every(([, name]) => (args[name ?? ""] ?? "") !== ""))
    .map((line) =>
      line.replace(/\{(\w+)\}/g, (_whole, name: string) => JSON.stringify((args[name] ?? "").slice(0, longestValue))),
    )
    .join("\n");
