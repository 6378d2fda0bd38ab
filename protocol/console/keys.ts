import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

type Action = (event: KeyboardEvent) => void;

/** A key is one character, a named key, or `g a` for two in a row. */
export type KeyMap = Readonly<Record<string, Action>>;

const maps: { current: KeyMap }[] = [];

const storageName = "parley-single-keys";

/** WCAG 2.1.4: single keys can be switched off. */
export const singleKeys = signal(localStorage.getItem(storageName) !== "off");

export const setSingleKeys = (isOn: boolean): void => {
  singleKeys.value = isOn;
  localStorage.setItem(storageName, isOn ? "on" : "off");
};

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"));

let before: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

const find = (key: string): Action | undefined => {
  for (const { current } of maps.toReversed()) if (Object.hasOwn(current, key)) return current[key];
  return undefined;
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const isNamed = event.key.length > 1;
  if (isField(event.target) && event.key !== "Escape") return;
  if (!isNamed && !singleKeys.value) return;
  if (document.querySelector("dialog[open]") !== null) return;
  const pair = before === null ? undefined : find(`${before} ${event.key}`);
  before = null;
  const action = pair ?? find(event.key);
  if (action !== undefined) {
    event.preventDefault();
    action(event);
  } else if (event.key === "g") {
    before = "g";
    clearTimeout(timer);
    timer = setTimeout(() => (before = null), 1500);
  }
});

/** What appeared last wins. */
export const useKeys = (map: KeyMap): void => {
  const entry = useRef(map);
  entry.current = map;
  useEffect(() => {
    maps.push(entry);
    return () => {
      maps.splice(maps.indexOf(entry), 1);
    };
  }, []);
};
