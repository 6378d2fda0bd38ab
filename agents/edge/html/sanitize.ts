import { Parser, defaultTreeAdapter, serialize } from "parse5";
import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes } from "parse5";
import { parseSrcset } from "./srcset.ts";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;
type Attribute = Element["attrs"][number];

const removed = new Set(["script", "object", "embed", "base", "meta", "form", "link", "style", "noscript"]);

const addresses = new Set("href src data-src action formaction background poster".split(" "));
const animated = new Set(["to", "from", "by", "values"]);
const sourceSets = new Set(["srcset", "imagesrcset"]);

const safeImage = /^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/;
const unsafeStyle = /expression\(|javascript:|vbscript:|data:text\/|data:application\/|data:image\/svg/;

/**
 * What a creative may cost. A few bytes of broken markup can make a tree builder open hundreds of elements again for
 * every paragraph, and close deep ones in a time that grows with their depth.
 */
const limits = { depth: 128, elements: 20_000, attributesOfTag: 256, characters: 4_194_304 } as const;
/** The parser is fed in pieces of this many characters, so that a tag can be refused while it is still being read. */
const piece = 4_096;
const mostPasses = 4;
const deepestFrame = 1;

// oxlint-disable-next-line no-control-regex -- control characters are what is removed.
const unseen = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\ufeff]+/g;

const folded = (value: string): string => value.replace(unseen, "").toLowerCase();

const isUnsafeAddress = (value: string): boolean => {
  const address = folded(value);
  if (address.startsWith("data:")) return !safeImage.test(address);
  return address.startsWith("javascript:") || address.startsWith("vbscript:");
};

const withoutComments = (style: string): string => {
  let rest = "";
  let at = 0;
  for (let open = style.indexOf("/*"); open >= 0; open = style.indexOf("/*", at)) {
    rest += style.slice(at, open);
    const close = style.indexOf("*/", open + 2);
    at = close < 0 ? style.length : close + 2;
  }
  return rest + style.slice(at);
};

const isUnsafeStyle = (value: string): boolean => {
  const unescaped = value
    .replace(/\\([0-9a-f]{1,6})[\t\n\f\r ]?/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll("\\", "");
  return unsafeStyle.test(folded(value)) || unsafeStyle.test(folded(withoutComments(unescaped)));
};

const isUnsafe = ({ name, value }: Attribute): boolean => {
  if (name.toLowerCase().startsWith("on")) return true;
  if (addresses.has(name)) return isUnsafeAddress(value);
  if (sourceSets.has(name)) return parseSrcset(value).some(({ address }) => isUnsafeAddress(address));
  if (animated.has(name)) return value.split(";").some(isUnsafeAddress);
  return name === "style" && isUnsafeStyle(value);
};

const cleanFrame = (attributes: readonly Attribute[], depth: number): Attribute[] =>
  attributes.flatMap((attribute) => {
    if (attribute.name !== "srcdoc") return [attribute];
    const inner = depth >= deepestFrame ? null : sanitizeAt(attribute.value, depth + 1);
    return inner === null ? [] : [{ ...attribute, value: inner }];
  });

const isElement = (node: Node): node is Element => "tagName" in node;

const lengthOf = (attributes: readonly Attribute[]): number =>
  attributes.reduce((sum, { name, value }) => sum + name.length + value.length, 0);

const cleanTree = (root: DefaultTreeAdapterTypes.ParentNode, depth: number): void => {
  const open: DefaultTreeAdapterTypes.ParentNode[] = [root];
  let characters = 0;
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    parent.childNodes = parent.childNodes.filter((node) => !isElement(node) || !removed.has(folded(node.tagName)));
    for (const node of parent.childNodes) {
      if (!isElement(node)) continue;
      characters += lengthOf(node.attrs);
      if (characters > limits.characters) throw new TooCostly();
      node.attrs = cleanFrame(
        node.attrs.filter((attribute) => !isUnsafe(attribute)),
        depth,
      );
      open.push(node);
      if ("content" in node) open.push((node as DefaultTreeAdapterTypes.Template).content);
    }
  }
};

/** The creative would cost more than any real one does. */
class TooCostly extends Error {}

/** Reads a document or fragment; throws `TooCostly` before the tree can cost too much. */
const readTree = (text: string): DefaultTreeAdapterTypes.ParentNode => {
  let depth = 0;
  let elements = 0;
  const treeAdapter = {
    ...defaultTreeAdapter,
    createElement(...made: Parameters<typeof defaultTreeAdapter.createElement>): Element {
      elements += 1;
      if (elements > limits.elements) throw new TooCostly();
      return defaultTreeAdapter.createElement(...made);
    },
    onItemPush(): void {
      depth += 1;
      if (depth > limits.depth) throw new TooCostly();
    },
    onItemPop(): void {
      depth -= 1;
    },
  };
  const options = { treeAdapter, scriptingEnabled: true };
  const isDocument = /<(?:!doctype|html|head|body)[\s>/]/i.test(text);
  const parser = isDocument
    ? new Parser<DefaultTreeAdapterMap>(options)
    : Parser.getFragmentParser<DefaultTreeAdapterMap>(null, options);
  const { tokenizer } = parser;
  for (let at = 0; at === 0 || at < text.length; at += piece) {
    tokenizer.write(text.slice(at, at + piece), at + piece >= text.length);
    // The parser looks every new attribute up among those before it.
    const token = tokenizer["currentToken"];
    if (token !== null && "attrs" in token && token.attrs.length > limits.attributesOfTag) throw new TooCostly();
  }
  return isDocument ? parser.document : parser.getFragment();
};

/**
 * Cleans until reading the result gives the result: a tree that is written and read again may be another tree, and
 * that other tree is the one that a browser runs.
 */
const sanitizeAt = (html: string, depth: number): string | null => {
  let text = html;
  try {
    for (let pass = 0; pass < mostPasses; pass += 1) {
      const tree = readTree(text);
      cleanTree(tree, depth);
      const next = serialize(tree);
      if (next === text) return next;
      text = next;
    }
  } catch (error) {
    if (error instanceof TooCostly) return null;
    throw error;
  }
  return null;
};

/** Takes active content out of a creative. `null`: it cannot be made safe, or costs more than any real one. */
export const sanitizeCreative = (html: string): string | null => sanitizeAt(html, 0);
