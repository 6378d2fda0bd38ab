import { pageState, type AdSlot, type Bids } from "./page-state.ts";
import { showBids } from "./show.ts";

const endpoint = "/_ts/page-bids";

const whenReady = (job: () => void): void => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", job, { once: true });
  else job();
};

const publish = (slots: readonly AdSlot[], bids: Bids): void => {
  const state = pageState();
  state.adSlots = slots;
  state.bids = bids;
  whenReady(() => {
    showBids(slots, bids);
    window.dispatchEvent(new CustomEvent("tsjs:bids", { detail: { slots, bids } }));
  });
};

let newest = 0;

const refresh = async (path = location.pathname): Promise<void> => {
  newest += 1;
  const mine = newest;
  const response = await fetch(`${endpoint}?path=${encodeURIComponent(path)}&format=json`, {
    headers: { "X-TSJS-Page-Bids": "1" },
    credentials: "same-origin",
  }).catch(() => null);
  if (response === null || !response.ok || mine !== newest) return;
  const answer = (await response.json()) as { slots: readonly AdSlot[]; bids: Bids };
  if (mine === newest) publish(answer.slots, answer.bids);
};

const onNavigation = (job: () => void): void => {
  let shown = location.pathname;
  const check = (): void => {
    if (location.pathname === shown) return;
    shown = location.pathname;
    job();
  };
  for (const name of ["pushState", "replaceState"] as const) {
    const original = history[name].bind(history);
    history[name] = (...given: Parameters<History["pushState"]>) => {
      original(...given);
      check();
    };
  }
  window.addEventListener("popstate", check);
};

/** Starts only on pages into which the edge wrote slots: a creative that loads the library has none. */
export const startPageBids = (): void => {
  const state = pageState();
  state.refresh = refresh;
  state.scheduleInitialAdInit = (bids) => publish(pageState().adSlots ?? [], bids);
  if (state.bids !== undefined) publish(state.adSlots ?? [], state.bids);
  if (state.adSlots !== undefined) onNavigation(() => void refresh());
};
