import { parseSync } from "oxc-parser";
import type { Requirement } from "./table.ts";

/** Path below `test/`. */
export interface TestSource {
  readonly path: string;
  readonly text: string;
}

export interface Citation {
  readonly id: string;
  readonly where: string;
}

export interface Found {
  readonly citations: readonly Citation[];
  readonly problems: readonly string[];
}

interface AnyNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** `it` for `it.each([1])("…", …)`. */
const rootName = (node: unknown): string => {
  if (!isNode(node)) return "";
  if (node.type === "Identifier") return String(node["name"]);
  if (node.type === "MemberExpression") return rootName(node["object"]);
  if (node.type === "CallExpression") return rootName(node["callee"]);
  return node.type === "TaggedTemplateExpression" ? rootName(node["tag"]) : "";
};

const isTestCall = (node: AnyNode): boolean =>
  node.type === "CallExpression" && ["it", "test"].includes(rootName(node["callee"]));

const isCoversCall = (node: AnyNode): boolean =>
  node.type === "CallExpression" && isNode(node["callee"]) && node["callee"]["name"] === "covers";

const readCall = (node: AnyNode, where: string): Found => {
  const given = node["arguments"] as readonly AnyNode[];
  const ids = given.map((one) => one["value"]).filter((value) => typeof value === "string");
  const isPlain = ids.length === given.length && ids.length > 0;
  const problems = isPlain ? [] : [`${where}: write the ids out as string literals`];
  return { citations: ids.map((id) => ({ id, where })), problems };
};

const readTypeScript = ({ path, text }: TestSource): Found => {
  const citations: Citation[] = [];
  const problems: string[] = [];
  const walk = (node: AnyNode, inTest: boolean): void => {
    if (isCoversCall(node)) {
      const where = `${path}:${text.slice(0, node.start).split("\n").length}`;
      const found = readCall(node, where);
      citations.push(...found.citations);
      problems.push(...found.problems, ...(inTest ? [] : [`${where}: cite inside a test`]));
    }
    const within = inTest || isTestCall(node);
    for (const value of Object.values(node).flat()) if (isNode(value)) walk(value, within);
  };
  walk(parseSync(path, text).program as unknown as AnyNode, false);
  return { citations, problems };
};

/** The file itself, or an item of its `cases`. */
const isCasePlace = (place: string): boolean => place === "" || /^\.cases\[\d+\]$/.test(place);

const readJson = ({ path, text }: TestSource): Found => {
  const citations: Citation[] = [];
  const problems: string[] = [];
  const walk = (value: unknown, place: string): void => {
    if (Array.isArray(value)) return value.forEach((item, index) => walk(item, `${place}[${index}]`));
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (name !== "requirements") walk(member, `${place}.${name}`);
      else if (!isCasePlace(place)) problems.push(`${path}${place}: requirements stands beside the title of a case`);
      else if (!Array.isArray(member) || member.length === 0 || member.some((id) => typeof id !== "string")) {
        problems.push(`${path}${place}: requirements is a list of ids`);
      } else citations.push(...(member as string[]).map((id) => ({ id, where: `${path}${place}` })));
    }
  };
  walk(JSON.parse(text), "");
  return { citations, problems };
};

/** `npm test` does not run these. */
const elsewhere = /^(bench|conformance|simulation)\//;

export const readCitations = (source: TestSource): Found => {
  const found = source.path.endsWith(".json") ? readJson(source) : readTypeScript(source);
  if (!elsewhere.test(source.path) || found.citations.length === 0) return found;
  return { citations: [], problems: [...found.problems, `${source.path}: cites, but npm test does not run it`] };
};

export type Document = "seller" | "buyer" | "edge";
export type MissingList = Readonly<Record<Document, readonly string[]>>;

export interface Coverage {
  readonly ids: readonly string[];
  readonly citations: readonly Citation[];
  readonly missing: MissingList;
  readonly bounds: Readonly<Record<Document, number>>;
}

const documents: readonly Document[] = ["seller", "buyer", "edge"];
const listName = "requirements-missing.json";

const boundProblem = (document: Document, count: number, bound: number): string[] => {
  if (count > bound) return [`${listName}: ${count} entries of ${document}, at most ${bound}: write a test instead`];
  return count < bound ? [`${listName}: ${count} entries of ${document}: lower its bound from ${bound}`] : [];
};

const listProblems = (document: Document, { ids, missing, bounds }: Coverage): string[] => {
  const list = missing[document];
  const inOrder = list.every((id, index) => index === 0 || (list[index - 1] ?? "") < id);
  return [
    ...(inOrder ? [] : [`${listName}: ${document} is not in order, or has an id twice`]),
    ...list.filter((id) => !ids.includes(id)).map((id) => `${listName}: ${id} is no requirement`),
    ...list.filter((id) => !id.startsWith(`${document}.`)).map((id) => `${listName}: ${id} is not of ${document}`),
    ...boundProblem(document, list.length, bounds[document]),
  ];
};

export const coverageProblems = (coverage: Coverage): string[] => {
  const { ids, citations, missing } = coverage;
  const citedAt = new Map(citations.map(({ id, where }) => [id, where]));
  const listed = new Set(documents.flatMap((document) => missing[document]));
  return [
    ...citations
      .filter(({ id }) => !ids.includes(id))
      .map(({ id, where }) => `${where}: cites ${id}, which is no requirement`),
    ...ids.filter((id) => !citedAt.has(id) && !listed.has(id)).map((id) => `${id}: no test cites it`),
    ...ids
      .filter((id) => citedAt.has(id) && listed.has(id))
      .map((id) => `${id}: ${citedAt.get(id)} cites it, take it out of ${listName}`),
    ...documents.flatMap((document) => listProblems(document, coverage)),
  ];
};

const idForm = /^(seller|buyer|edge)(\.[a-z0-9]+(-[a-z0-9]+)*){2,4}$/;

/** `lastDecision` is the last row of the decisions. */
export const manifestProblems = (rows: Readonly<Record<string, Requirement>>, lastDecision: number): string[] =>
  Object.entries(rows).flatMap(([id, { source, behavior, decision }]) => [
    ...(idForm.test(id) ? [] : [`${id}: not the form of an id`]),
    ...(source.includes(", ") ? [] : [`${id}: the source names a document and a heading`]),
    ...(/^[^\n]{10,110}[.!]$/.test(behavior) ? [] : [`${id}: the behavior is one short sentence`]),
    ...(decision === undefined || (Number.isInteger(decision) && decision >= 1 && decision <= lastDecision)
      ? []
      : [`${id}: there is no decision ${decision}`]),
  ]);
