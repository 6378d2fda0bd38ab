import { isMembers } from "../../protocol/neutral/json-input.ts";
import type { Members } from "../../protocol/neutral/members.ts";
import { markOf } from "../../protocol/seam/untrusted.ts";
import type { ToolTraits } from "../../protocol/seam/operation.ts";

/** A mark stands beside its member, or in what a member is a part of, and goes with it. */
const pick = (value: unknown, path: readonly string[]): unknown => {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item, path) ?? {});
  if (!isMembers(value) || !Object.hasOwn(value, name)) return undefined;
  const inner = pick(value[name], rest);
  if (inner === undefined) return undefined;
  const mark = markOf(name);
  return { [name]: inner, ...(value[mark] === true ? { [mark]: true } : {}) };
};

const merged = (left: unknown, right: unknown): unknown => {
  if (left === undefined) return right;
  if (Array.isArray(left) && Array.isArray(right)) return left.map((item, place) => merged(item, right[place]));
  if (!isMembers(left) || !isMembers(right)) return right === undefined ? left : right;
  const both: Record<string, unknown> = { ...left };
  for (const [name, member] of Object.entries(right)) both[name] = merged(both[name], member);
  return both;
};

/** Where a result goes on, how long it is, and that nothing was done, whatever fields were asked for. */
const always = ["count", "total", "next_cursor", "dry_run", "sandbox", "next_step"];

/** Dotted paths, through lists too: `products.name`. */
const picked = (value: unknown, paths: readonly string[]): unknown =>
  paths.reduce<unknown>((found, path) => merged(found, pick(value, path.split("."))), undefined) ?? {};

export const onlyFields = (output: unknown, fields: readonly string[]): unknown =>
  picked(output, [...fields, ...always]);

/** What a row leaves out, the tool that reads its record shows, and so do `fields`. */
export const shortRows = (output: unknown, rows: ToolTraits["rows"]): unknown => {
  if (rows === undefined || !isMembers(output)) return output;
  const short = Object.entries(rows).flatMap(([list, paths]) => {
    const items = output[list];
    return Array.isArray(items) ? [[list, items.map((item) => picked(item, paths))]] : [];
  });
  return { ...output, ...Object.fromEntries(short) };
};

const mostFields = 50;

/** `*`: the whole output, as the other doors give it. Null: a page. */
export const fieldsOf = (sent: unknown): readonly string[] | null => {
  const fields = isMembers(sent) ? sent["fields"] : undefined;
  const list = typeof fields === "string" ? fields.split(",") : fields;
  if (!Array.isArray(list)) return null;
  const names = list.filter((field): field is string => typeof field === "string").map((field) => field.trim());
  const named = names.filter((name) => name !== "").slice(0, mostFields);
  return named.length === 0 ? null : named;
};

/** Of a schema all forms: a nullable member is one of two. */
const formsOf = (schema: unknown): readonly Members[] => {
  if (!isMembers(schema)) return [];
  const choices = [schema["anyOf"], schema["oneOf"], schema["allOf"]].filter(Array.isArray).flat();
  return [schema, ...choices.flatMap(formsOf), ...formsOf(schema["items"])];
};

const membersIn = (schema: unknown): Members =>
  Object.assign({}, ...formsOf(schema).map(({ properties }) => (isMembers(properties) ? properties : {}))) as Members;

const inSchema = (schema: unknown, [name, ...rest]: readonly string[]): boolean => {
  if (name === undefined) return true;
  const members = membersIn(schema);
  return Object.hasOwn(members, name) && inSchema(members[name], rest);
};

const inOutput = (value: unknown, path: readonly string[]): boolean => {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((item) => inOutput(item, path));
  return isMembers(value) && Object.hasOwn(value, name) && inOutput(value[name], rest);
};

/** An answer may hold members that its schema does not declare, and leave out some that it does. */
interface Shape {
  readonly schema: unknown;
  readonly output: unknown;
}

const isKnown = ({ schema, output }: Shape, path: readonly string[]): boolean =>
  inOutput(output, path) || inSchema(schema, path);

/** The lists of records at the top. */
const listsOf = ({ schema, output }: Shape): readonly string[] => {
  const members = membersIn(schema);
  const isList = (name: string, value: unknown): value is readonly unknown[] =>
    Array.isArray(value) && (value.some(isMembers) || Object.keys(membersIn(members[name])).length > 0);
  return Object.entries(isMembers(output) ? output : {}).flatMap(([name, value]) =>
    isList(name, value) ? [name] : [],
  );
};

/** A member of the answer wins over one of the same name in its lists. */
const resolved = (shape: Shape, lists: readonly string[], field: string): readonly string[] => {
  const path = field.split(".");
  if (isKnown(shape, path)) return [field];
  return lists.filter((list) => isKnown(shape, [list, ...path])).map((list) => `${list}.${field}`);
};

const longestNamed = 64;

/** Only what the caller is shown: a null may stand for what is the seller's own. */
const shownNames = (values: readonly unknown[]): string => {
  const entries = values.filter(isMembers).flatMap((value) => Object.entries(value));
  return [...new Set(entries.filter(([, value]) => value != null).map(([name]) => name))].join(", ");
};

const namesText = (output: unknown, lists: readonly string[]): string => {
  const ofLists = lists.map((list) => {
    const names = shownNames((output as Members)[list] as readonly unknown[]);
    return names === "" ? "" : ` Each of ${list} has ${names}.`;
  });
  return `The answer has ${shownNames([output])}.${ofLists.join("")}`;
};

type ReadFields = { readonly paths: readonly string[] } | { readonly unknown: string };

/** A bare name selects in the items of the answer's lists; a name that is nowhere comes back with those there are. */
export const readFields = (shape: Shape, fields: readonly string[]): ReadFields => {
  const lists = listsOf(shape);
  const [only, ...others] = lists;
  // Of an empty list nothing shows which members its items may have.
  const isOpen = only !== undefined && others.length === 0 && ((shape.output as Members)[only] as []).length === 0;
  const found = fields.map((field) => ({ field, paths: resolved(shape, lists, field) }));
  const unknown = isOpen ? [] : found.filter(({ paths }) => paths.length === 0);
  if (unknown.length === 0) return { paths: found.flatMap(({ paths }) => paths) };
  const named = unknown.map(({ field }) => field.slice(0, longestNamed)).join(", ");
  return { unknown: `Unknown in fields: ${named}. ${namesText(shape.output, lists)}` };
};
