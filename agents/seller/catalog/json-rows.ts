import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";

/** One element of a JSON array, and the line on which it starts. */
export interface JsonRow {
  readonly line: number;
  readonly value: unknown;
}

/** What is wrong with a JSON text, and the line; line 0: the text as a whole. */
export interface JsonProblem {
  readonly line: number;
  readonly message: string;
}

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false } as const;

/** The line of an offset. Rows come in order, so that the lines before are never looked through again. */
const lineCounter = (text: string): ((offset: number) => number) => {
  let line = 1;
  let end = text.indexOf("\n");
  return (offset) => {
    for (; end !== -1 && end < offset; end = text.indexOf("\n", end + 1)) line += 1;
    return line;
  };
};

/** `CommaExpected` in words. */
const inWords = ({ error }: ParseError): string =>
  printParseErrorCode(error).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The objects of a tree with the members that they name again: a parser keeps the last one without a word. */
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

/** The elements of a JSON text that is an array, or an object whose only member `products` is one; or its problems. */
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

/** The value of a JSON text in a cell, undefined where it is no JSON; or the member that an object names twice. */
export const parseJsonCell = (text: string): { readonly value: unknown } | JsonProblem => {
  const parsed = treeOf(text);
  if (isTree(parsed)) return { value: getNodeValue(parsed) };
  return parsed[0] ?? { line: 0, message: "it is empty" };
};
