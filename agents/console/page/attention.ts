import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { agent } from "./agent/session.ts";
import { screens } from "./screens/screens.ts";

const storageName = "parley-sound";

/** Off until somebody wants it; kept by this browser. */
export const sound = signal(localStorage.getItem(storageName) === "on");

let audio: AudioContext | null = null;

/** Two short tones. A browser plays none before the first press on the page. */
const chime = (): void => {
  audio ??= new AudioContext();
  for (const [place, hertz] of [660, 880].entries()) {
    const at = audio.currentTime + place * 0.14;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.08, at);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.2);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.2);
  }
};

export const setSound = (isOn: boolean): void => {
  sound.value = isOn;
  localStorage.setItem(storageName, isOn ? "on" : "off");
  if (isOn) chime();
};

const oneTabMs = 1000;

/** Of several tabs one: whoever has the lock keeps it until the others have seen the same news. */
const chimeOnce = (): void => {
  if (!("locks" in navigator)) return chime();
  void navigator.locks.request("parley-sound", { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    chime();
    await new Promise((resolve) => setTimeout(resolve, oneTabMs));
  });
};

const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
const plainIcon = icon?.href ?? "";

/** Drawn by the build; the policy of the page lets no script draw one. */
const iconOf = (count: number): string =>
  count === 0 ? plainIcon : `/console/assets/waiting-${count > 9 ? "more" : count}.svg`;

/** What waits for a person is counted in the title of the window and in its icon; a sound where it is wanted. */
export const useAttention = (): void => {
  // One list of screens, so that the hooks run in one order.
  const badges = screens.flatMap(({ useBadge }) => (useBadge === undefined ? [] : [useBadge()]));
  const count = badges.reduce<number>((sum, badge) => sum + (badge ?? 0), 0);
  const isKnown = !badges.includes(null);
  const before = useRef<number | null>(null);
  useEffect(() => {
    document.title = count === 0 ? `Parley ${agent}` : `(${count}) Parley ${agent}`;
    if (icon !== null) icon.href = iconOf(count);
    if (sound.value && isKnown && before.current !== null && count > before.current) chimeOnce();
    if (isKnown) before.current = count;
  }, [count, isKnown]);
};
