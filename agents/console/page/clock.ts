import { signal } from "@preact/signals";

/** Ticks every half minute, so that "3 min ago" stays true. */
export const nowMs = signal(Date.now());

setInterval(() => {
  nowMs.value = Date.now();
}, 30_000);
