import { useLocation } from "preact-iso";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { screenOf } from "../address.ts";
import { plain } from "../form.ts";
import type { FoundPlace, UseFound } from "../screens/screen.ts";
import { screens } from "../screens/screens.ts";
import { Modal } from "./modal.tsx";

const settleMs = 200;

const isIn = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());

/** Screens by their names. */
const screensFor = (text: string): readonly FoundPlace[] =>
  screens
    .filter(({ label }) => text === "" || isIn(label, text))
    .map(({ path, label, key }) => ({
      href: screenOf(path),
      kind: "Screen",
      title: label,
      note: `g ${key}`,
      isExact: false,
    }));

interface FoundListProps {
  readonly id: string;
  readonly all: readonly FoundPlace[];
  readonly chosen: number;
  readonly open: (one: FoundPlace) => void;
}

const FoundList = ({ id, all, chosen, open }: FoundListProps) => {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: "nearest" }), [chosen]);
  return (
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
  );
};

const nothing = "Nothing has this id or name. A part of an id is looked for among the newest 500 of each kind.";

/** The text, what was found for it, and a word on how it stands. */
const useFinding = (useFound: UseFound) => {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { found, isLooking, failure } = useFound(asked);
  const here = screensFor(text.trim());
  const all = [...found.filter(({ isExact }) => isExact), ...here, ...found.filter(({ isExact }) => !isExact)];
  const isSettled = asked === text.trim() && !isLooking;
  const word = !isSettled ? "Looking" : all.length === 0 ? nothing : "";
  return { text, setText, all, word: failure === null ? word : plain(failure.message, 200) };
};

interface FinderProps {
  readonly useFound: UseFound;
  readonly close: () => void;
}

/** One box for all: ids, buyers, products, deals, screens and settings. Arrows choose, Enter opens. */
export const Finder = ({ useFound, close }: FinderProps) => {
  const { route } = useLocation();
  const id = useId();
  const { text, setText, all, word } = useFinding(useFound);
  const [at, setAt] = useState(0);
  const chosen = Math.min(at, all.length - 1);
  const open = (one: FoundPlace): void => {
    close();
    route(one.href);
  };
  const press = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const one = all[chosen];
    if (step !== 0) setAt(Math.max(0, Math.min(all.length - 1, chosen + step)));
    else if (event.key !== "Enter") return;
    else if (one !== undefined) open(one);
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
      <FoundList id={id} all={all} chosen={chosen} open={open} />
      <p class="muted small" role="status">
        {word}
      </p>
    </Modal>
  );
};
