import type { AuctionRecord } from "../../platform.ts";
import { auctionCard, number } from "./card.ts";
import { html, type Markup, nothing } from "./markup.ts";
import { style } from "./style.ts";

export interface AuctionsPage {
  readonly auctions: readonly AuctionRecord[];
  /** What became of the win notices that the edge called, by outcome. */
  readonly notices: readonly (readonly [outcome: string, count: number])[];
  readonly address: string;
  readonly limit: number;
  readonly most: number;
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
};

const figure = (name: string, value: string): Markup =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

const figuresOf = (auctions: readonly AuctionRecord[]): Markup => {
  const count = (isOne: (auction: AuctionRecord) => boolean): string => number(auctions.filter(isOne).length);
  return html`<dl class="figures">
    ${figure("Auctions", number(auctions.length))}
    ${figure(
      "Won",
      count(({ outcome }) => outcome === "won"),
    )}
    ${figure(
      "Nobody bid",
      count(({ outcome }) => outcome === "empty"),
    )}
    ${figure(
      "Over the budget",
      count(({ ms, budget_ms: budget }) => ms > budget),
    )}
    ${figure("Median time", `${number(median(auctions.map(({ ms }) => ms)))} ms`)}
  </dl>`;
};

const legend = html`<p class="row muted">
  <span class="key bid">bid</span> <span class="key">no bid</span> <span class="key error">failed</span>
  <span class="key tmax">time given to the provider</span> <span class="key budget">budget of the auction</span>
</p>`;

const noticesLine = (notices: AuctionsPage["notices"]): Markup => {
  if (notices.length === 0) return nothing;
  const words = notices.map(([outcome, count]) => `${number(count)} ${outcome.replaceAll("_", " ")}`).join(", ");
  return html`<p class="muted">Win notices that the edge called since its start: ${words}.</p>`;
};

const links = ({ limit, most }: AuctionsPage): Markup => html`
  <p class="row">
    <a href="?limit=${limit}">Read again</a>
    ${limit < most ? html`<a href="?limit=${most}">The last ${most}</a>` : nothing}
  </p>
`;

const asACall = ({ address, limit }: AuctionsPage): Markup => html`
  <details>
    <summary>As a call</summary>
    <pre tabindex="0">curl -s -u "$EDGE_ADMIN" '${address.replaceAll("'", "%27")}?limit=${limit}'</pre>
  </details>
`;

export const auctionsPage = (page: AuctionsPage): string => {
  const { auctions } = page;
  const body =
    auctions.length === 0
      ? html`<p class="card">
          No auction since the start. The next request for a page with slots, or to <code>/auction</code>, makes one.
        </p>`
      : html`<section class="card" aria-label="All of them">${figuresOf(auctions)}</section>
          ${legend} ${auctions.map(auctionCard)}`;
  const { markup } = html`<main>
    <header>
      <h1>Auctions</h1>
      <p class="muted">The last ones of this edge, newest first, kept in memory alone. Times are in UTC.</p>
      ${noticesLine(page.notices)} ${links(page)}
    </header>
    ${body} ${asACall(page)}
  </main>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Auctions of the edge</title>
<style>${style}</style>
</head>
<body>
${markup}
</body>
</html>
`;
};
