import { z } from "zod";

const longestShown = 40;

/** A query sends every value as text, and the answer is the same at every door; a long or hostile value is cut. */
const given = (value: unknown): string => {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(String(value));
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`;
};

const kinds: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  nan: "a number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};

const mostChoices = 20;

const listed = (values: readonly unknown[]): string => {
  const shown = values.slice(0, mostChoices).map(String).join(", ");
  return values.length > mostChoices ? `${shown} and ${values.length - mostChoices} more` : shown;
};

/** Where only one value is wanted, it is often sent without its list. */
const listText = (schema: unknown, value: unknown): string => {
  const items = schema instanceof z.ZodArray ? (schema.element as z.core.$ZodType) : null;
  if (items instanceof z.ZodEnum) return ` of ${listed(items.options)}`;
  return typeof value === "string" ? `, for example [${given(value)}]` : "";
};

const typeText = ({ expected, input, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string | undefined => {
  const kind = kinds[expected];
  if (kind === undefined) return undefined;
  return `Must be ${kind}${expected === "array" ? listText(inst, input) : ""}; ${given(input)} was sent`;
};

const choiceText = (values: readonly unknown[], value: unknown): string =>
  `Must be ${values.length === 1 ? "" : "one of "}${listed(values)}; ${given(value)} was sent`;

interface Bound {
  readonly origin: string;
  readonly limit: number | bigint;
  readonly inclusive: boolean;
  readonly input: unknown;
}

const units: Readonly<Record<string, string>> = { string: "character", array: "entry" };

const counted = (limit: number | bigint, unit: string): string =>
  `${limit} ${Number(limit) === 1 ? unit : unit === "entry" ? "entries" : `${unit}s`}`;

const boundText = (words: readonly [string, string], { origin, limit, inclusive, input }: Bound): string => {
  const unit = units[origin];
  if (unit === undefined) return `Must be ${inclusive ? words[0] : words[1]} ${limit}; ${given(input)} was sent`;
  if (Number(limit) === 1 && words[0] === "at least") return "Must not be empty";
  return `Must have ${words[0]} ${counted(limit, unit)}`;
};

/** Names what was sent and what is allowed; undefined leaves the library's own text. */
export const issueText = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case "invalid_type":
      return typeText(issue);
    case "invalid_value":
      return choiceText(issue.values, issue.input);
    case "too_big":
      return boundText(["at most", "below"], { ...issue, limit: issue.maximum, inclusive: issue.inclusive ?? true });
    case "too_small":
      return boundText(["at least", "above"], { ...issue, limit: issue.minimum, inclusive: issue.inclusive ?? true });
    default:
      return undefined;
  }
};
