import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

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

/** The first of two keys. No clock ends it: whoever types slowly, or on a busy machine, would lose the second. */
let first: string | null = null;

const find = (key: string): Action | undefined => {
  for (const { current } of maps.toReversed()) if (Object.hasOwn(current, key)) return current[key];
  return undefined;
};

document.addEventListener("pointerdown", () => (first = null));

document.addEventListener("keydown", (event) => {
  const before = first;
  first = null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const isNamed = event.key.length > 1;
  if (isField(event.target) && event.key !== "Escape") return;
  if (!isNamed && !singleKeys.value) return;
  if (document.querySelector("dialog[open]") !== null) return;
  const pair = before === null ? undefined : find(`${before} ${event.key}`);
  const action = pair ?? find(event.key);
  if (action !== undefined) {
    event.preventDefault();
    action(event);
  } else if (event.key === "g") first = "g";
});

/** What appeared last wins. After paint would be too late: a key that is drawn can be pressed. */
export const useKeys = (map: KeyMap): void => {
  const entry = useRef(map);
  entry.current = map;
  useLayoutEffect(() => {
    maps.push(entry);
    return () => {
      maps.splice(maps.indexOf(entry), 1);
    };
  }, []);
};
