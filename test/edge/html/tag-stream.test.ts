import { describe, expect, test } from "vitest";
import { brokenDocument, createRandom, withoutForeign } from "./broken-documents.ts";
import { onlyWith, tagsOfParse5, tagsOfStream } from "./oracle.ts";
import type { StartTag } from "../../../agents/edge/html/tags/tag-draft.ts";
import { createTagReader } from "../../../agents/edge/html/tags/tag-stream.ts";
import type { AskedTags, TagHandlers } from "../../../agents/edge/html/tags/tag-stream.ts";

const ASKED = new Set(["href", "src", "b"]);

const compare = (html: string): void => {
  const single = tagsOfStream(html, 1);
  expect(single.seen, html).toEqual(tagsOfParse5(html));
  expect(single.out, html).toBe(html);
  const whole = tagsOfStream(html, html.length + 1);
  expect(whole.seen, html).toEqual(single.seen);
  expect(whole.out, html).toBe(html);
  for (const size of [1, 5, html.length + 1]) {
    const some = tagsOfStream(html, size, ASKED);
    expect(some.seen, html).toEqual(onlyWith(ASKED, whole.seen));
    expect(some.out, html).toBe(html);
  }
};

const run = (html: string, rules: Partial<AskedTags & TagHandlers>, size = 1): string => {
  let out = "";
  const all = { attributes: null, longestTag: 65_536, startTag: () => undefined, ...rules };
  const stream = createTagReader(all)(all, (text) => void (out += text));
  for (let at = 0; at < html.length; at += size) stream.push(html.slice(at, at + size));
  stream.end();
  return out;
};

describe("tag stream against parse5", () => {
  test("2,000 broken documents give the same tags in one-character chunks and whole", () => {
    const random = createRandom(20_261_121);
    for (let count = 0; count < 2_000; count += 1) compare(brokenDocument(random));
  });

  test("documents of a fresh seed give the same tags", () => {
    const seed = Number(process.env["HTML_SEED"] ?? Math.floor(Math.random() * 4_294_967_296));
    console.info(`HTML_SEED=${seed}`);
    const random = createRandom(seed);
    for (let count = 0; count < 500; count += 1) compare(withoutForeign(brokenDocument(random)));
  });

  test.each([
    "<script><!-- <script> </script> <img src=a> --></script><img src=b>",
    "<script><!--<script></script></script><p>",
    "<script><!--></script><p>",
    "<script><!-- <scripty></script><p>",
    "<p></b title='>'><i>",
    "<![CDATA[<p>]]><i>",
    "<svg><![CDATA[<p>]]><style><g></style></svg><style><g></style>",
    "<svg><title><style><p></style></title></svg>",
    "<math><annotation-xml encoding='text/html'><style><p></style></annotation-xml></math>",
    "<svg><font color=red><style><p></style>",
    "<a<b>c",
    "<plaintext><p></plaintext><i>",
  ])("%s", (html) => compare(html));
});

describe("tag stream edits", () => {
  test("only the span of an edited attribute changes", () => {
    const html = "<A  HREF = 'x&amp;y'\tb>t</a >&copy;<p\n>";
    const out = run(html, {
      startTag: (tag) => {
        if (tag.name === "a") tag.set("href", `${tag.get("href")}"z`);
      },
    });
    expect(out).toBe('<A  HREF = "x&amp;y&quot;z"\tb>t</a >&copy;<p\n>');
  });

  test("an attribute without a value and a missing one can be set, an unquoted one becomes quoted", () => {
    const set = (tag: StartTag): void => {
      tag.set("b", "1");
      tag.set("c", "2");
      tag.set("d", "3");
    };
    expect(run("<a b c=x/>", { startTag: set })).toBe('<a d="3" b="1" c="2">');
  });

  test("of two equal attributes the first is edited", () => {
    expect(run("<a b=1 B=2>", { startTag: (tag) => tag.set("b", "9") })).toBe('<a b="9" B=2>');
  });

  test.each([1, 7, 1_000])(
    "values that are left alone are passed over, others in the same tag are not (%s)",
    (size) => {
      const html =
        '<a href="/b/c" src="/d"><a href="/e//f"><a href="/&#47;g"><a href=/h><a href="/i" src="//j"><A HREF="/k">';
      const seen: (string | null)[] = [];
      const startTag = (tag: StartTag): void => void seen.push(tag.get("href"));
      const out = run(html, { attributes: new Set(["href", "src"]), leftAlone: "(?:/[a-z]+)*", startTag }, size);
      expect(out).toBe(html);
      for (const told of ["/e//f", "//g", "/h", "/i"]) expect(seen).toContain(told);
      if (size > html.length) expect(seen).toEqual(["/e//f", "//g", "/h", "/i"]);
    },
  );

  test("a tag can be left out and markup can follow it", () => {
    const startTag = (tag: StartTag): void => {
      if (tag.name === "base") tag.remove();
      if (tag.name === "body") tag.after("<i>");
    };
    expect(run("<base href=x><body>y", { startTag })).toBe("<body><i>y");
  });

  test("an end tag is announced after everything in front of it was written", () => {
    let out = "";
    const seen: string[] = [];
    const open = createTagReader({ attributes: new Set(), longestTag: 100, endTags: new Set(["body"]) });
    const stream = open({ startTag: () => undefined, endTag: () => void seen.push(out) }, (text) => void (out += text));
    for (const mark of "<p>x<!-- </body> --></BODY ></html>") stream.push(mark);
    stream.end();
    expect(seen).toEqual(["<p>x<!-- </body> -->"]);
    expect(out).toBe("<p>x<!-- </body> --></BODY ></html>");
  });

  test("what is written at one time never ends in half a character", () => {
    const html = `<script>${"\u{1F600}a".repeat(40)}</script>${"\u{1F600}".repeat(9_000)}<p>\u{1F600}`;
    const pieces: string[] = [];
    const open = createTagReader({ attributes: null, longestTag: 100 });
    const stream = open({ startTag: () => undefined }, (text) => void pieces.push(text));
    for (const mark of html.slice(0, 201)) stream.push(mark);
    expect(pieces.every((piece) => !/[\ud800-\udbff]$/.test(piece))).toBe(true);
    stream.push(html.slice(201));
    stream.end();
    expect(pieces.join("")).toBe(html);
  });

  test("style text is handed over whole, also without an end tag", () => {
    const style = (css: string): string => `[${css}]`;
    expect(run("<style>a<b</style>c<style>d", { style })).toBe("<style>[a<b]</style>c<style>[d]");
  });

  test("a tag that is too long passes through as it came, and memory stays at one tag", () => {
    const longest = Array.from({ length: 3 }, () => "x".repeat(100)).join("");
    const out = run(`<a b=${longest}><a b=1>`, { longestTag: 200, startTag: (tag) => tag.set("b", "2") });
    expect(out).toBe(`<a b=${longest}><a b="2">`);
  });
});
