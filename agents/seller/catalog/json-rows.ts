import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

export interface JsonRow {
  readonly line: number;
  readonly value: unknown;
}

/** Line 0: the text as a whole. */
export interface JsonProblem {
  readonly line: number;
  readonly message: string;
}

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false } as const;

/** Rows come in order, so no line is scanned twice. */
const lineCounter = (text: string): ((offset: number) => number) => {
  let line = 1;
  let end = text.indexOf("\n");
  return (offset) => {
    for (; end !== -1 && end < offset; end = text.indexOf("\n", end + 1)) line += 1;
    return line;
  };
};

const inWords = ({ error }: ParseError): string =>
  printParseErrorCode(error).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A parser silently keeps the last of repeated members. */
const repeatedMembers = (text: string, node: Node): readonly JsonProblem[] => {
  const children = node.children ?? [];
  const seen = new Set<unknown>();
  const repeated: JsonProblem[] = [];
  for (const { children: [name] = [] } of node.type === "object" ? children : []) {
    if (name !== undefined && seen.has(name.value))
      repeated.push({ line: lineCounter(text)(name.offset), message: `${name.value} is there twice in one object` });
    seen.add(name?.value);
  }
  return [...repeated, ...children.flatMap((child) => repeatedMembers(text, child))];
};

/** The array that holds the rows: the whole text, or its only member `products`. */
const listIn = (tree: Node): Node | undefined => {
  const [member, ...more] = tree.type === "object" ? (tree.children ?? []) : [];
  const [name, value] = member?.children ?? [];
  const list = more.length === 0 && name?.value === "products" ? value : tree;
  return list?.type === "array" ? list : undefined;
};

const treeOf = (text: string): Node | readonly JsonProblem[] => {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, strict);
  const [first] = errors;
  if (first === undefined && tree !== undefined) {
    const repeated = repeatedMembers(text, tree);
    return repeated.length > 0 ? repeated : tree;
  }
  const reason = first === undefined ? "it is empty" : inWords(first);
  return [{ line: lineCounter(text)(first?.offset ?? 0), message: `the file is not valid JSON: ${reason}` }];
};

const isTree = (parsed: Node | readonly JsonProblem[]): parsed is Node => "type" in parsed;

export const parseJsonRows = (source: string): readonly (JsonRow | JsonProblem)[] => {
  const text = source.replace(/^\uFEFF/, "");
  const parsed = treeOf(text);
  if (!isTree(parsed)) return parsed;
  const list = listIn(parsed);
  if (list === undefined) {
    return [{ line: 0, message: 'the file must be an array of products, or {"products": [...]}' }];
  }
  const lineAt = lineCounter(text);
  return (list.children ?? []).map((node) => ({ line: lineAt(node.offset), value: getNodeValue(node) }));
};

export const parseJsonCell = (text: string): { readonly value: unknown } | JsonProblem => {
  const parsed = treeOf(text);
  if (isTree(parsed)) return { value: getNodeValue(parsed) };
  return parsed[0] ?? { line: 0, message: "it is empty" };
};
