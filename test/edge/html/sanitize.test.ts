import { describe, expect, test } from "vitest";
import { sanitizeCreative } from "../../../agents/edge/html/sanitize.ts";
import { tagsOfParse5 } from "./oracle.ts";

describe("sanitiser", () => {
  test.each([
    ["plain markup stays", '<a href="https://a.example/">x</a><img src="https://b.example/i.png">'],
    ["an iframe stays", '<iframe src="https://a.example/"></iframe>'],
    ["an inline png stays", '<img src="data:image/png;base64,AA">'],
    ["harmless style stays", '<p style="color:red">x</p>'],
  ])("%s", (_, html) => expect(sanitizeCreative(html)).toBe(html));

  test.each([
    ["<script>alert(1)</script>x", "x"],
    ["<object data=x><p>y</p></object>x", "x"],
    ["<embed src=x>x", "x"],
    ["<base href=x><meta http-equiv=refresh content=0><link rel=stylesheet href=x>x", "x"],
    ["<form action=x><input></form>x", "x"],
    ["<style>a{}</style><noscript><p></noscript>x", "x"],
    ["<img src=x onerror=alert(1)>", '<img src="x">'],
    ["<IMG SRC=x ONERROR=alert(1)>", '<img src="x">'],
    ["<img/src=x/onload=alert(1)>", '<img src="x/onload=alert(1)">'],
    ["<a href=javascript:alert(1)>x</a>", "<a>x</a>"],
    ["<a href=' java\nscript&colon;alert(1)'>x</a>", "<a>x</a>"],
    ["<a href=\u0001javascript:alert(1)>x</a>", "<a>x</a>"],
    ["<a href='vbscript:x'>x</a>", "<a>x</a>"],
    ["<iframe src='data:text/html,<script>1</script>'></iframe>", "<iframe></iframe>"],
    ["<img src='data:image/svg+xml,<svg onload=1>'>", "<img>"],
    ["<button formaction=javascript:1>x</button>", "<button>x</button>"],
    ["<video poster=javascript:1></video>", "<video></video>"],
    ["<img srcset='a 1x, javascript:1 2x'>", "<img>"],
    ["<p style='width:expression(alert(1))'>x</p>", "<p>x</p>"],
    ["<p style='width:exp/**/ression(1)'>x</p>", "<p>x</p>"],
    ["<p style='background:url(\\6a avascript:1)'>x</p>", "<p>x</p>"],
    ["<svg><a xlink:href='javascript:1'>x</a></svg>", "<svg><a>x</a></svg>"],
    ["<svg><set attributeName=href to=javascript:1 /></svg>", '<svg><set attributeName="href"></set></svg>'],
    ["<svg><animate values='x;javascript:1'/></svg>", "<svg><animate></animate></svg>"],
    ["<svg><script>1</script></svg>", "<svg></svg>"],
    ["<template><script>1</script><b onclick=1></b></template>", "<template><b></b></template>"],
  ])("%s", (html, expected) => expect(sanitizeCreative(html)).toBe(expected));

  test("a document keeps its head and body", () => {
    expect(sanitizeCreative("<!doctype html><html><body onload=x><p>y</body></html>")).toBe(
      "<!DOCTYPE html><html><head></head><body><p>y</p></body></html>",
    );
  });

  test("a document inside srcdoc is cleaned too", () => {
    expect(sanitizeCreative("<iframe srcdoc='<script>1</script><b>x</b>'></iframe>")).toBe(
      '<iframe srcdoc="&lt;b&gt;x&lt;/b&gt;"></iframe>',
    );
  });

  test.each([
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<textarea><img title='</textarea><img src=x onerror=alert(1)>'>",
    "<xmp><p title='</xmp><img src=x onerror=alert(1)>'>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<svg><title><style><img src=x onerror=alert(1)></style></title></svg>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<table><a href=javascript:1><td><a onclick=1>",
  ])("%s comes out inert, and the same when read again", (html) => {
    const clean = sanitizeCreative(html);
    if (clean === null) return;
    for (const [name, ...attributes] of tagsOfParse5(clean)) {
      expect(name).not.toMatch(/^(?:script|object|embed|base|meta|form|link|style|noscript)$/);
      expect(attributes.filter((entry) => /^on|=javascript:/i.test(entry))).toEqual([]);
    }
    expect(sanitizeCreative(clean)).toBe(clean);
  });

  const filled = (piece: string): string => piece.repeat(Math.floor(1_048_576 / piece.length));
  const numbered = (piece: (at: number) => string, count: number): string =>
    Array.from({ length: count }, (_, at) => piece(at)).join("");

  test.each([
    ["nesting", filled("<b>")],
    ["nesting with ends that look far up", filled("<div>").slice(0, 500_000) + filled("</p>").slice(0, 500_000)],
    ["elements", filled("<br>")],
    ["attributes of one tag", `<b ${numbered((at) => `a${at} `, 150_000)}>`],
    [
      "formatting that every paragraph opens again",
      numbered((at) => `<b a=${at}>`, 100) + filled("<p>x").slice(0, 900_000),
    ],
    ["attributes that are copied", `<b x="${"y".repeat(500_000)}">${filled("<p>x").slice(0, 400_000)}`],
  ])("%s that would cost minutes or gigabytes are refused", (_, html) => expect(sanitizeCreative(html)).toBeNull());

  test.each([
    ["open comments in a style", `<p style="${filled("/*")}">x</p>`],
    ["backslashes in a style", `<p style="${filled("\\")}">x</p>`],
    ["commas in a srcset", `<img srcset="a${filled(",")}x">`],
    ["ends of paragraphs", filled("</p>").slice(0, 60_000)],
    ["references", filled("&lt;")],
    ["text", filled("x ")],
  ])("%s end", (_, html) => expect(typeof sanitizeCreative(html)).toBe("string"));

  test("a document inside a document inside srcdoc is dropped", () => {
    const inner = (html: string): string => {
      const escaped = html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
      return `<iframe srcdoc="${escaped}"></iframe>`;
    };
    expect(sanitizeCreative(inner("<b>1</b>"))).toContain("&lt;b&gt;1");
    expect(sanitizeCreative(inner(inner("<b>1</b>")))).not.toContain("1");
  });
});
