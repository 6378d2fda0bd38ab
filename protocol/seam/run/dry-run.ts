import { Refused } from "../../neutral/refusals.ts";
import { fieldRefusal } from "../../neutral/validation.ts";

/** Sentences about what is done: of a dry run they would claim what has not happened. */
const sentences: readonly string[] = ["status_text", "next_step"];

const conditional = (text: string, minted: readonly string[]): string =>
  `Without dry_run: ${minted.reduce((left, id) => left.replaceAll(id, "a new id"), text)}`;

const withoutMinted = (value: unknown, minted: readonly string[]): unknown => {
  if (typeof value === "string") return minted.some((id) => value.includes(id)) ? null : value;
  if (Array.isArray(value)) return value.map((item) => withoutMinted(item, minted));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => {
    const isSentence = sentences.includes(key) && typeof member === "string";
    return [key, isSentence ? conditional(member, minted) : withoutMinted(member, minted)] as const;
  });
  return Object.fromEntries(entries);
};

/** Null replaces ids and secrets that the call would have made. */
export const dryAnswer = (output: unknown, minted: readonly string[], nextStep: string): unknown => {
  const cleaned = withoutMinted(output, minted);
  return typeof cleaned === "object" && cleaned !== null && !Array.isArray(cleaned)
    ? { ...cleaned, dry_run: true, next_step: nextStep }
    : cleaned;
};

export const dryStep = (operation: string): string =>
  `Nothing was done, this was a dry run: the same ${operation} without dry_run does it.`;

const yes: readonly unknown[] = [true, "true", "1", 1];
const no: readonly unknown[] = [undefined, null, false, "false", "0", 0];

/** As tools and data parts do. Neither yes nor no is rejected: it must not run for real. */
export const asksDryRun = (rawInput: unknown): boolean => {
  if (typeof rawInput !== "object" || rawInput === null) return false;
  const flag = (rawInput as Readonly<Record<string, unknown>>)["dry_run"];
  if (no.includes(flag)) return false;
  if (yes.includes(flag)) return true;
  throw new Refused(fieldRefusal("dry_run", "Send dry_run as true or false.", "dry_run_invalid"));
};
