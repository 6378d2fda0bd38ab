import { signal } from "@preact/signals";

/** The one polite region of the page. */
export const announced = signal("");

const everyMs = 5000;
let waiting: string | null = null;
let lastAtMs = 0;

const say = (): void => {
  if (waiting === null) return;
  announced.value = waiting;
  waiting = null;
  lastAtMs = Date.now();
};

/** At most one sentence in five seconds; the newest wins. */
export const announce = (sentence: string): void => {
  const isIdle = waiting === null;
  waiting = sentence;
  if (isIdle) setTimeout(say, Math.max(0, lastAtMs + everyMs - Date.now()));
};
