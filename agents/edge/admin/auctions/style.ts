import { sha256 } from "@noble/hashes/sha2.js";
import { toBase64 } from "../../signing/encoding.ts";

export const style = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#f6f6f3, #121311);
  --surface: light-dark(#fff, #1a1b19);
  --sunken: light-dark(#efefea, #0d0e0c);
  --line: light-dark(#e3e3dc, #2d2f2b);
  --text: light-dark(#1b1c1a, #edeee9);
  --muted: light-dark(#5a5c56, #a6a99f);
  --accent: light-dark(#0e6a61, #5fcabb);
  --ok: light-dark(#1c7440, #72d192);
  --ok-tint: light-dark(#e3f3e8, #152e1e);
  --warn: light-dark(#875300, #e6b450);
  --warn-tint: light-dark(#fbf0da, #33270f);
  --bad: light-dark(#b1271f, #ff9289);
  --bad-tint: light-dark(#fbe8e6, #3a1a17);
}
* { box-sizing: border-box; }
html {
  background: var(--bg);
  color: var(--text);
  font: 0.875rem/1.5 "Inter", ui-sans-serif, system-ui, sans-serif;
  font-variant-numeric: tabular-nums;
}
body { max-width: 1080px; margin: 0 auto; padding: 24px 16px 48px; overflow-wrap: anywhere; }
main, article { display: grid; gap: 16px; grid-template-columns: minmax(0, 1fr); }
article { gap: 8px; }
h1, h2, h3, p, dl, dd, ul { margin: 0; padding: 0; }
h1 { font-size: 1.625rem; line-height: 1.2; }
h2 { font-size: 1rem; line-height: 1.4; }
h3 { font-size: 0.8125rem; font-weight: 400; color: var(--muted); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code, pre { font: 0.8125rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { margin: 8px 0 0; padding: 8px 12px; border-radius: 6px; background: var(--sunken); white-space: pre-wrap; }
summary { cursor: pointer; color: var(--muted); }
.muted { color: var(--muted); }
.row { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; }
.card { padding: 16px 20px; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); }
.chip { padding: 1px 10px; border-radius: 14px; background: var(--sunken); color: var(--muted); font-size: 0.75rem; }
.chip.ok { background: var(--ok-tint); color: var(--ok); }
.chip.warn { background: var(--warn-tint); color: var(--warn); }
.chip.bad { background: var(--bad-tint); color: var(--bad); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(120px, 1fr)); gap: 12px 16px; }
.figures dt { color: var(--muted); font-size: 0.8125rem; }
.figures dd { font-size: 1.25rem; font-weight: 600; }
.bars { list-style: none; display: grid; gap: 8px; }
.bars li { display: grid; grid-template-columns: 170px minmax(0, 1fr) 230px; gap: 2px 16px; align-items: center; }
.bars .answer { text-align: right; }
.bars svg { display: block; width: 100%; height: 20px; overflow: visible; }
.bars .words { grid-column: 2 / -1; color: var(--muted); }
.track { fill: var(--sunken); }
.bid { fill: var(--accent); }
.nobid { fill: var(--muted); }
.error { fill: var(--bad); }
.budget { stroke: var(--text); stroke-width: 2; }
.tmax { stroke: var(--warn); stroke-width: 2; stroke-dasharray: 3 3; }
.key::before {
  content: "";
  display: inline-block;
  width: 12px;
  height: 12px;
  margin-right: 6px;
  border-radius: 3px;
  vertical-align: -1px;
  background: var(--muted);
}
.key.bid::before { background: var(--accent); }
.key.error::before { background: var(--bad); }
.key.budget::before { width: 2px; background: var(--text); }
.key.tmax::before { width: 0; border-left: 2px dashed var(--warn); border-radius: 0; background: none; }
.slots { list-style: none; }
.slots li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 2px 16px; padding: 6px 0; }
.slots li + li { border-top: 1px solid var(--line); }
@media (width < 720px) {
  .card { padding: 12px 14px; }
  .bars li { grid-template-columns: minmax(0, 1fr) auto; }
  .bars svg, .bars .words { grid-row: 2; grid-column: 1 / -1; }
  .bars .words { grid-row: 3; }
}
`;

/** Nothing but this very style sheet: no script, no picture, no request, no frame around it. */
export const policy = [
  "default-src 'none'",
  `style-src 'sha256-${toBase64(sha256(new TextEncoder().encode(style)))}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
