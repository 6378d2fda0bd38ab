import MiniSearch, { type Options } from "minisearch";
import "../theme.ts";

/** A part of a page below one heading. `id` is its address below `/guide/`. */
interface Part {
  readonly id: string;
  readonly title: string;
  readonly page: string;
}

interface SearchFile {
  readonly options: Options<Part>;
  readonly index: Parameters<typeof MiniSearch.loadJS>[0];
}

const most = 12;

const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text: string,
  className = "",
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
};

let index: Promise<MiniSearch<Part>> | null = null;

const loaded = async (): Promise<MiniSearch<Part>> => {
  const answer = await fetch(document.documentElement.dataset["index"] ?? "");
  if (!answer.ok) throw new Error(`the index answered ${answer.status}`);
  const { options, index: tables } = (await answer.json()) as SearchFile;
  return MiniSearch.loadJS(tables, options);
};

/** A failed load is tried again at the next letter. */
const opened = (): Promise<MiniSearch<Part>> => {
  index ??= loaded().catch((error: unknown) => {
    index = null;
    throw error;
  });
  return index;
};

const row = ({ id, title, page }: Part): HTMLLIElement => {
  const link = element("a", title);
  link.href = `/guide/${id}`;
  if (title !== page) link.append(element("span", page, "place"));
  const item = document.createElement("li");
  item.append(link);
  return item;
};

const box = document.querySelector<HTMLElement>("[role=search]");
const input = box?.querySelector("input");
const list = document.querySelector<HTMLOListElement>("#found");

const show = (items: readonly HTMLElement[]): void => {
  if (!list || !input) return;
  list.replaceChildren(...items);
  list.hidden = items.length === 0;
  input.setAttribute("aria-expanded", String(items.length > 0));
};

const said = (text: string): HTMLElement => {
  const item = document.createElement("li");
  item.append(element("p", text));
  return item;
};

const find = async (): Promise<void> => {
  const asked = input?.value.trim() ?? "";
  if (asked === "") return show([]);
  try {
    const parts = (await opened()).search(asked).slice(0, most) as unknown as readonly Part[];
    if (asked !== input?.value.trim()) return;
    show(parts.length === 0 ? [said("Nothing found. Try one word, or the name of an operation.")] : parts.map(row));
  } catch {
    show([said("The search could not be loaded. Is the agent still running?")]);
  }
};

const links = (): readonly HTMLAnchorElement[] => [...(list?.querySelectorAll("a") ?? [])];

const move = (step: number): void => {
  const all = links();
  const at = all.findIndex((link) => link === document.activeElement);
  const next = at + step;
  if (next < 0) input?.focus();
  else all[Math.min(next, all.length - 1)]?.focus();
};

const onKey = (event: KeyboardEvent): void => {
  if (event.key === "ArrowDown") move(1);
  else if (event.key === "ArrowUp") move(-1);
  else if (event.key === "Enter" && event.target === input) links()[0]?.click();
  else if (event.key === "Escape") {
    show([]);
    input?.focus();
  } else return;
  event.preventDefault();
};

if (box && input) {
  box.hidden = false;
  input.addEventListener("focus", () => void opened().catch(() => undefined));
  input.addEventListener("input", () => void find());
  box.addEventListener("keydown", onKey);
  box.addEventListener("focusout", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) show([]);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || document.activeElement === input) return;
    event.preventDefault();
    input.focus();
  });
}

/** Narrow windows begin with the text. */
if (window.innerWidth < 820) document.querySelector("nav details")?.removeAttribute("open");
else document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest" });

for (const block of document.querySelectorAll<HTMLElement>(".code.runs")) {
  if (!("clipboard" in navigator)) break;
  const button = element("button", "Copy");
  button.type = "button";
  button.addEventListener("click", () => {
    void navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "").then(() => {
      button.textContent = "Copied";
    });
  });
  block.append(button);
}
