import type { AuctionRecord } from "../../platform.ts";
import { html, type Markup, nothing } from "./markup.ts";

type Provider = AuctionRecord["providers"][number];
type Winner = AuctionRecord["winners"][number];

export const number = (amount: number): string => String(amount).replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ",");

const price = (cpm: number): string => `$${cpm.toFixed(2)}`;

const plain = (word: string): string => word.replaceAll("_", " ");

const outcomes: Readonly<Record<string, readonly [tone: string, words: string]>> = {
  won: ["ok", "won"],
  empty: ["", "nobody bid"],
  consent_denied: ["", "no consent"],
  upstream_timeout: ["bad", "every provider was too late"],
  upstream_failed: ["bad", "every provider failed"],
  signing_key_unavailable: ["bad", "no signing key"],
};

const outcomeChip = (outcome: string): Markup => {
  const [tone, words] = (Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined) ?? ["warn", plain(outcome)];
  return html`<span class="chip ${tone}">${words}</span>`;
};

const percent = (part: number, whole: number): string => `${Math.min(100, (part / whole) * 100).toFixed(2)}%`;

const line = (kind: string, at: string): Markup =>
  html`<line class="${kind}" x1="${at}" x2="${at}" y1="0" y2="20"></line>`;

const tones: Readonly<Record<string, string>> = { success: "bid", error: "error" };

const answerOf = ({ status, bids, reason, tmax_ms: tmax, ms }: Provider): string => {
  if (tmax === null) return `not asked: ${plain(reason ?? status)}`;
  const words = status === "success" ? `${bids} ${bids === 1 ? "bid" : "bids"}` : plain(reason ?? status);
  return `${number(ms)} ms, ${words}`;
};

const providerRow = (provider: Provider, budgetMs: number, wholeMs: number): Markup => {
  const { name, status, ms, tmax_ms: tmax, words } = provider;
  const tone = (Object.hasOwn(tones, status) ? tones[status] : undefined) ?? "nobid";
  return html`<li>
    <b>${name}</b>
    <svg aria-hidden="true">
      <rect class="track" y="4" width="100%" height="12" rx="4"></rect>
      <rect class="${tone}" y="4" width="${percent(ms, wholeMs)}" height="12" rx="4"></rect>
      ${tmax === null ? nothing : line("tmax", percent(tmax, wholeMs))} ${line("budget", percent(budgetMs, wholeMs))}
    </svg>
    <span class="answer">${answerOf(provider)}</span>
    ${words === null ? nothing : html`<p class="words">It said: ${words}</p>`}
  </li>`;
};

const noticesOf = ({ win_notice: win, billing_notice: billing }: Winner): string => {
  const words = [
    win === null ? "no win notice" : `win notice by the ${win}`,
    billing === null ? "no billing notice" : `billing notice by the ${billing}`,
  ];
  return words.join(", ");
};

const winnerRow = (winner: Winner): Markup =>
  html`<li>
    <b>${winner.slot}</b>
    <span>
      ${winner.seat} at ${price(winner.price)}${winner.deal === null ? nothing : html`, deal ${winner.deal}`}
      <span class="muted">${noticesOf(winner)}</span>
    </span>
  </li>`;

const unsoldRow = (slot: string): Markup => html`<li><b>${slot}</b><span class="muted">not sold</span></li>`;

const slotsOf = ({ slots, winners, unsold }: AuctionRecord): Markup => {
  const more = slots - winners.length - unsold.length;
  return html`<ul class="slots">
    ${winners.map(winnerRow)} ${unsold.map(unsoldRow)}
    ${more > 0 ? html`<li class="muted">and ${number(more)} more that were not sold</li>` : nothing}
  </ul>`;
};

export const auctionCard = (auction: AuctionRecord): Markup => {
  const { at, page, source, ms, budget_ms: budget, outcome, providers, slots } = auction;
  const wholeMs = Math.max(1, budget, ...providers.map((one) => one.ms)) * 1.02;
  return html`<article class="card">
    <header class="row">
      <h2>${page}</h2>
      ${outcomeChip(outcome)}
      <span>${number(ms)} of ${number(budget)} ms</span>
      <span class="muted">
        <time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 23)}</time>, ${plain(source)},
        <code>${auction.request_id}</code>
      </span>
    </header>
    ${
      providers.length === 0
        ? nothing
        : html`<h3>Providers</h3>
            <ul class="bars">
              ${providers.map((one) => providerRow(one, budget, wholeMs))}
            </ul>`
    }
    ${
      slots === 0
        ? nothing
        : html`<h3>Slots</h3>
            ${slotsOf(auction)}`
    }
  </article>`;
};
