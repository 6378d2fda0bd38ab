import { describe, expect, test } from "vitest";
import { rewriteCreative, rewriteStyleSheet } from "../../../agents/edge/html/creative.ts";
import { rewriteCss } from "../../../agents/edge/html/css.ts";
import { parseSrcset, rewriteSrcset } from "../../../agents/edge/html/srcset.ts";
import { createTokens } from "../../../agents/edge/proxy/token.ts";

const rules = {
  tokens: createTokens("unit-test-proxy-secret"),
  excluded: ["keep.example", "*.safe.example"],
  origin: "",
  injectRuntime: false,
  longest: 1_000_000,
};
const PNG =
  "/first-party/proxy?tsurl=https%3A%2F%2Fcdn.example%2Fa.png&tstoken=khZxp4u3sJa1nEmYtIZeJ6uaS1IRKef9MMtmMPgDWaw";
const CLICK = PNG.replace("proxy?", "click?");
const SOURCE = "https://cdn.example/a.png";
const inAttribute = (href: string): string => href.replaceAll("&", "&amp;");

describe("creative rewriting", () => {
  test.each([
    ["img", `<img src="${SOURCE}">`],
    ["img, lazy", `<img data-src="${SOURCE}">`],
    ["script", `<script src="${SOURCE}"></script>`],
    ["stylesheet", `<link rel="x StyleSheet" href="${SOURCE}">`],
    ["preload", `<link href="${SOURCE}" rel="preload">`],
    ["video", `<video src="${SOURCE}"></video>`],
    ["audio", `<audio src="${SOURCE}"></audio>`],
    ["source", `<source src="${SOURCE}">`],
    ["embed", `<embed src="${SOURCE}">`],
    ["iframe", `<iframe src="${SOURCE}"></iframe>`],
    ["object", `<object data="${SOURCE}"></object>`],
    ["input", `<input src="${SOURCE}" type="IMAGE">`],
    ["svg image", `<svg><image href="${SOURCE}"/></svg>`],
    ["svg use", `<svg><use xlink:href="${SOURCE}"/></svg>`],
  ])("%s is fetched through the proxy", (_, html) => {
    expect(rewriteCreative(html, rules)).toBe(html.replace(SOURCE, inAttribute(PNG)));
  });

  test("links lead to the click route and keep their first-party address", () => {
    const href = inAttribute(CLICK);
    expect(rewriteCreative(`<a href="${SOURCE}">`, rules)).toBe(`<a data-tsclick="${href}" href="${href}">`);
    expect(rewriteCreative(`<area href='${SOURCE}'>`, rules)).toBe(`<area data-tsclick="${href}" href="${href}">`);
  });

  test("candidates keep their descriptors, commas in data addresses do not separate", () => {
    const srcset = `data:image/png;base64,AA,BB 1x, ${SOURCE} 2x,//cdn.example/a.png`;
    const proxied = inAttribute(PNG);
    expect(rewriteCreative(`<img srcset="${srcset}">`, rules)).toBe(
      `<img srcset="data:image/png;base64,AA,BB 1x, ${proxied} 2x, ${proxied}">`,
    );
    expect(rewriteCreative(`<link imagesrcset="${SOURCE} 100w">`, rules)).toContain(`${proxied} 100w`);
  });

  test("style attributes and style elements are rewritten, in SVG too", () => {
    expect(rewriteCreative(`<p style="background:url('${SOURCE}')">`, rules)).toBe(
      `<p style="background:url(&quot;${inAttribute(PNG)}&quot;)">`,
    );
    expect(rewriteCreative(`<style>a{b:url(${SOURCE})}</style>`, rules)).toBe(`<style>a{b:url("${PNG}")}</style>`);
    expect(rewriteCreative(`<svg><style>a{b:url(${SOURCE})}</style></svg>`, rules)).toContain(inAttribute(PNG));
  });

  test.each([
    ["a relative address", '<img src="a.png">'],
    ["a path", '<img src="/a.png">'],
    ["inline bytes", '<img src="data:image/gif;base64,R0lGOD">'],
    ["mail", '<a href="mailto:a@b.example">x</a>'],
    ["script text", `<script>var a = '<img src="${SOURCE}">'</script>`],
    ["text", `<textarea><img src="${SOURCE}"></textarea>`],
    ["a comment", `<!-- <img src="${SOURCE}"> -->`],
    ["an icon", `<link rel=icon href="${SOURCE}">`],
    ["a text field", `<input src="${SOURCE}">`],
    ["an excluded host", '<img src="https://keep.example/a"><img src="https://a.safe.example/b">'],
    ["a target with a reserved parameter", '<img src="https://cdn.example/?tstoken=1">'],
    ["broken markup", '<img src=<<>>><a href="http://["></p></'],
  ])("%s stays as it is", (_, html) => expect(rewriteCreative(html, rules)).toBe(html));

  test.each([
    ["references", "https&#58;//cdn.example/a.png"],
    ["blanks", " \n https://cdn.example/a.png\t"],
    ["a line break inside", "htt\nps://cdn.example/a.png"],
    ["backslashes", "\\\\cdn.example\\a.png"],
    ["capitals", "HTTPS://CDN.EXAMPLE/a.png"],
    ["no scheme", "//cdn.example/a.png"],
  ])("an absolute address hidden by %s is found", (_, address) => {
    expect(rewriteCreative(`<img src="${address}">`, rules)).toBe(`<img src="${inAttribute(PNG)}">`);
  });

  test("base is removed and the library goes in once: at the body, or in front of a fragment", () => {
    const runtime = '<script src="/static/tsjs=tsjs-unified.min.js" id="trustedserver-js"></script>';
    const injected = { ...rules, injectRuntime: true };
    expect(rewriteCreative("<base href=x><b>y</b>", injected)).toBe(`${runtime}<b>y</b>`);
    expect(rewriteCreative("<html><body a><body>", injected)).toBe(`<html><body a>${runtime}<body>`);
    expect(rewriteCreative(`<p>${runtime}`, injected)).toBe(`<p>${runtime}`);
  });

  test("inline creatives of a page get absolute first-party addresses", () => {
    expect(rewriteCreative(`<img src=${SOURCE}>`, { ...rules, origin: "https://pub.example" })).toBe(
      `<img src="https://pub.example${inAttribute(PNG)}">`,
    );
  });

  test("a result that is too long is empty, and minting stops there", () => {
    const many = Array.from({ length: 60_000 }, (_, at) => `<img src=//a.example/${at}>`).join("");
    expect(rewriteCreative(many, rules)).toBe("");
    expect(rewriteCreative("x".repeat(11), { ...rules, longest: 10 })).toBe("");
  });
});

describe("hostile creatives of one MiB end", () => {
  const MIB = 1_048_576;
  const filled = (piece: string): string => piece.repeat(Math.floor(MIB / piece.length));
  const big = { ...rules, longest: 10 * MIB };

  test.each([
    ["commas in a srcset", `<img srcset="a${filled(",")}x">`],
    ["scripts", filled("<script></script>")],
    ["end tags with attributes", filled("</a x>")],
    ["a tag without an end", `<img ${filled("a ")}`],
    ["a name without an end", `<${filled("a")}`],
    ["brackets", filled("<")],
    ["brackets and letters", filled("<a")],
    ["half declarations", filled("<![")],
    ["comments in a script", `<script>${filled("<!--<script>")}`],
    ["styles", filled("<style></style>")],
    ["styles inside each other in SVG", `<svg>${filled("<style>")}`],
    ["SVG inside SVG", filled("<svg>")],
    ["SVG and its ends", filled("<svg></b>")],
    ["equal attributes", `<img ${filled("src=a ")}>`],
    ["escaped addresses", `<style>${filled("u\\72l(")}</style>`],
    ["open strings", `<style>${filled("'")}</style>`],
    ["open comments", `<style>${filled("/*")}</style>`],
    ["parentheses", `<p style="${filled("a(")}">`],
    ["references", `<a href="${filled("&amp;")}">`],
  ])("%s", (_, html) => {
    const out = rewriteCreative(html, big);
    expect(out === "" || out.length >= html.length - 10).toBe(true);
  });
});

describe("style sheets", () => {
  const mark = (css: string): string => rewriteCss(css, (address) => `[${address}]`);

  test.each([
    ["a{b:url(x)}", 'a{b:url("[x]")}'],
    ["a{b:url( 'x y' )}", 'a{b:url( "[x y]" )}'],
    ["a{b:URL(x)}", 'a{b:url("[x]")}'],
    ["a{b:u\\72l(x)}", 'a{b:u\\72l("[x]")}'],
    ["a{b:u\\72 l('x')}", 'a{b:u\\72 l("[x]")}'],
    ["a{b:url(\\68ttp://x)}", 'a{b:url("[http://x]")}'],
    ['@import "x" screen;', '@import "[x]" screen;'],
    ["@import/**/url(x);", '@import/**/url("[x]");'],
    ["@\\69mport 'x';", '@\\69mport "[x]";'],
    ["a{b:src('x')}", 'a{b:src("[x]")}'],
    ["a{b:image-set('x' 1x, url(y) 2x)}", 'a{b:image-set("[x]" 1x, url("[y]") 2x)}'],
    ["a{b:-webkit-image-set('x' type('y') 1x)}", "a{b:-webkit-image-set(\"[x]\" type('y') 1x)}"],
    ["a{content:'url(x)'}", "a{content:'url(x)'}"],
    ["/* url(x) */", "/* url(x) */"],
    ["a{b:url(x", 'a{b:url("[x]")'],
    ["a{b:url(x y)}", "a{b:url(x y)}"],
    ["a{b:'", "a{b:'"],
    ["\u0000}{;;((", "\u0000}{;;(("],
  ])("%s", (css, expected) => expect(mark(css)).toBe(expected));

  test("a new address cannot leave its string", () => {
    expect(rewriteCss("a{b:url(x)}", () => '"\\\n)')).toBe('a{b:url("\\22 \\5c \\a )")}');
  });

  test("a style sheet that is too long is empty", () => {
    expect(rewriteStyleSheet("a{b:c}", { ...rules, longest: 3 })).toBe("");
    expect(rewriteStyleSheet(`@import "${SOURCE}";`, rules)).toBe(`@import "${PNG}";`);
  });
});

describe("srcset", () => {
  test.each([
    ["a 1x, b 2x", ["a|1x", "b|2x"]],
    ["a,b", ["a,b|"]],
    ["a, b", ["a|", "b|"]],
    [",, a 1x,,b", ["a|1x", "b|"]],
    ["a (x, y) 1x, b", ["a|(x, y) 1x", "b|"]],
    ["  ", []],
  ])("%j", (text, expected) => {
    expect(parseSrcset(text).map(({ address, descriptor }) => `${address}|${descriptor}`)).toEqual(expected);
  });

  test("nothing to change answers null", () => expect(rewriteSrcset("a 1x", () => null)).toBeNull());
});
