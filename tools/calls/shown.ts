import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Members } from "../../protocol/neutral/members.ts";

/** A result is read by a model, so a page of it is short. */
export const mostShownBytes = 8000;

/** Room for what is added to a page. */
const pageBytes = 7600;

const lengthOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/** `kept`: members at the top whose null says something. */
export const withoutNulls = (value: unknown, kept: readonly string[] = []): unknown => {
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item));
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => (member !== null && member !== undefined) || kept.includes(name))
      .map(([name, member]) => [name, withoutNulls(member)]),
  );
};

/** Of a record within another, or in a list: the tool that reads the record shows them, and so do `fields`. */
const ofWholeRecords = ["activation_instructions", "openrtb_params", "terms_digest"];
const ofPrograms = ["rollback_snapshot"];
/** Names a REST route; `next_step` names the tool. */
const ofRest = ["message"];

/** A schema of results may not require these. */
export const leftOut: readonly string[] = [...ofPrograms, ...ofWholeRecords, ...ofRest];

export const brief = (value: unknown, depth = 0): unknown => {
  if (Array.isArray(value)) return value.map((item) => brief(item, depth + 1));
  if (!isMembers(value)) return value;
  const ofTop = value["next_step"] === undefined ? ofPrograms : [...ofPrograms, ...ofRest];
  const hidden = depth === 0 ? ofTop : [...ofPrograms, ...ofWholeRecords];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !hidden.includes(name))
      .map(([name, member]) => [name, brief(member, depth + 1)]),
  );
};

/** A dry run's null says which id the call would make. */
export const idNames = (output: unknown): readonly string[] =>
  isMembers(output) ? Object.keys(output).filter((name) => name.endsWith("_id")) : [];

const isEmpty = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0);

/** What the call would say of what is there already is not what it would do. */
const keptOfRecords: readonly string[] = ["status", "status_text", "terms", "total_cost"];

const shortRecord = (record: Members): Members =>
  record["status"] === undefined
    ? record
    : Object.fromEntries(
        Object.entries(record).filter(([name]) => name.endsWith("_id") || keptOfRecords.includes(name)),
      );

/** What would be done, without what only a record that is kept needs. */
export const briefDryRun = (output: unknown): unknown => {
  const shown = brief(output);
  if (!isMembers(shown)) return shown;
  const hidden = [...ofWholeRecords, "revision", "created_at"];
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([name, member]) => !hidden.includes(name) && !isEmpty(member))
      .map(([name, member]) => [name, isMembers(member) ? shortRecord(member) : member]),
  );
};

interface LargestList {
  readonly name: string;
  readonly items: readonly unknown[];
}

const largestList = (output: Members): LargestList | null => {
  const lists = Object.entries(output).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const [largest] = lists.sort((left, right) => lengthOf(right[1]) - lengthOf(left[1]));
  return largest === undefined ? null : { name: largest[0], items: largest[1] };
};

/** How many items of its largest list fit into a page; null: it is short enough, or has no list. */
export const itemsThatFit = (output: unknown): number | null => {
  if (!isMembers(output) || lengthOf(output) <= mostShownBytes) return null;
  const list = largestList(output);
  if (list === null) return null;
  let room = pageBytes - (lengthOf(output) - lengthOf(list.items));
  let fitting = 0;
  for (const item of list.items) {
    room -= lengthOf(item) + 1;
    if (room < 0) break;
    fitting += 1;
  }
  return Math.max(1, fitting);
};

/** The note names what is missing and how to get it. */
export const cutToPage = (output: unknown): unknown => {
  const fitting = itemsThatFit(output);
  const list = isMembers(output) ? largestList(output) : null;
  if (fitting === null || list === null || fitting >= list.items.length) return output;
  const missing = list.items.length - fitting;
  const note = `${missing} more in ${list.name}: narrow the call, or send fields with what you need of each.`;
  return { ...(output as Members), [list.name]: list.items.slice(0, fitting), note };
};

/** An assistant reads the end last. */
export const nextStepLast = (output: unknown): unknown => {
  if (!isMembers(output) || output["next_step"] === undefined) return output;
  const { next_step: step, ...rest } = output;
  return { ...rest, next_step: step };
};
