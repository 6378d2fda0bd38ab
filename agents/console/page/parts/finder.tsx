import { useLocation } from "preact-iso";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { screenOf } from "../address.ts";
import type { Failure } from "../agent/api.ts";
import { plain } from "../form.ts";
import { screens } from "../screens/screens.ts";
import { Modal } from "./modal.tsx";

/** A place that was found; its text is already safe to show. */
export interface Found {
  readonly href: string;
  readonly kind: string;
  readonly title: string;
  readonly note: string;
  /** Exactly what was typed: it comes first. */
  readonly isExact: boolean;
}

/** What an agent finds for a text; an empty text finds nothing. */
export type UseFound = (text: string) => {
  readonly found: readonly Found[];
  readonly isLooking: boolean;
  readonly failure: Failure | null;
};

const settleMs = 200;

const isIn = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());

/** Screens by their names. */
const screensFor = (text: string): readonly Found[] =>
  screens
    .filter(({ label }) => text === "" || isIn(label, text))
    .map(({ path, label, key }) => ({
      href: screenOf(path),
      kind: "Screen",
      title: label,
      note: `g ${key}`,
      isExact: false,
    }));

interface FinderProps {
  readonly useFound: UseFound;
  readonly close: () => void;
}

/** One box for all: ids, buyers, products, deals, screens and settings. Arrows choose, Enter opens. */
export const Finder = ({ useFound, close }: FinderProps) => {
  const { route } = useLocation();
  const id = useId();
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { found, isLooking, failure } = useFound(asked);
  const here = screensFor(text.trim());
  const all = [...found.filter(({ isExact }) => isExact), ...here, ...found.filter(({ isExact }) => !isExact)];
  const chosen = Math.min(at, all.length - 1);
  const isSettled = asked === text.trim() && !isLooking;
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: "nearest" }), [chosen]);
  const open = (one: Found | undefined): void => {
    if (one === undefined) return;
    close();
    route(one.href);
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setAt(Math.max(0, Math.min(all.length - 1, chosen + step)));
    else if (event.key === "Enter") open(all[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal title="Find" close={close}>
      <div class="field finder" onKeyDown={press}>
        <label class="unseen" for={`${id}-text`}>
          An id, a buyer, a product, a deal, a screen or a setting
        </label>
        <input
          id={`${id}-text`}
          type="text"
          role="combobox"
          autoFocus
          autoComplete="off"
          spellcheck={false}
          maxLength={100}
          placeholder="An id, a buyer, a product, a setting"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen < 0 ? undefined : `${id}-${chosen}`}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
        />
      </div>
      <ul id={`${id}-list`} ref={list} class="found" role="listbox" aria-label="Found">
        {all.map((one, index) => (
          <li
            key={`${one.kind} ${one.href} ${one.title}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(one)}
          >
            <span class="muted small">{one.kind}</span>
            <span class="clip strong">{one.title}</span>
            <span class="clip muted">{one.note}</span>
          </li>
        ))}
      </ul>
      <p class="muted small" role="status">
        {failure !== null
          ? plain(failure.message, 200)
          : !isSettled
            ? "Looking"
            : all.length === 0
              ? "Nothing has this id or name. A part of an id is looked for among the newest 500 of each kind."
              : ""}
      </p>
    </Modal>
  );
};
