import { Parser, defaultTreeAdapter } from "parse5";
import type { DefaultTreeAdapterMap, Token } from "parse5";
import { createTagReader } from "../../../agents/edge/html/tags/tag-stream.ts";

export type SeenTag = readonly [name: string, ...attributes: string[]];

const normalise = (value: string): string => value.replaceAll("\0", "\uFFFD").replaceAll(/\r\n?/g, "\n");

class RecordingParser extends Parser<DefaultTreeAdapterMap> {
  readonly seen: SeenTag[] = [];

  override onStartTag(token: Token.TagToken): void {
    this.seen.push([token.tagName, ...token.attrs.map((attr) => `${attr.name}=${normalise(attr.value)}`)]);
    super.onStartTag(token);
  }
}

/** parse5's tree steers its tokenizer, as in a browser without scripting. */
export const tagsOfParse5 = (html: string): SeenTag[] => {
  const parser = new RecordingParser({ treeAdapter: defaultTreeAdapter, scriptingEnabled: false });
  parser.tokenizer.write(html, true);
  return parser.seen;
};

/** Tags with one of the attributes, without the others. */
export const onlyWith = (attributes: ReadonlySet<string>, tags: readonly SeenTag[]): SeenTag[] =>
  tags
    .map(([name, ...all]): SeenTag => [name, ...all.filter((one) => attributes.has(one.split("=", 1)[0] ?? ""))])
    .filter((tag) => tag.length > 1);

/** Pieces of `size` characters; `attributes`: `null` for all. */
export const tagsOfStream = (
  html: string,
  size: number,
  attributes: ReadonlySet<string> | null = null,
): { seen: SeenTag[]; out: string } => {
  const seen: SeenTag[] = [];
  let out = "";
  const stream = createTagReader({ attributes, longestTag: 65_536 })(
    {
      startTag: (tag) => {
        const attributesOfTag: string[] = [];
        tag.edit((value, name) => {
          attributesOfTag.push(`${normalise(name)}=${normalise(value)}`);
          return null;
        });
        seen.push([normalise(tag.name), ...attributesOfTag]);
      },
      style: (css) => css,
    },
    (text) => void (out += text),
  );
  for (let at = 0; at < html.length; at += size) stream.push(html.slice(at, at + size));
  stream.end();
  return { seen, out };
};
