import { decodeAttribute, encodeAttribute } from "./attribute-text.ts";
import type { SourceWindow } from "./source-window.ts";

/** One start tag as a rule sees it. Attribute names are lower case; of two equal ones only the first counts. */
export type StartTag = {
  readonly name: string;
  /** Names of the attributes that the rules ask for, in source order. */
  names(): readonly string[];
  /** The decoded value (`""` for an attribute without one), or `null` when the tag does not have it. */
  get(attribute: string): string | null;
  /** Replaces the value, or adds the attribute. */
  set(attribute: string, value: string): void;
  /** Leaves the tag out. */
  remove(): void;
  /** Puts markup behind the tag. */
  after(markup: string): void;
};

type Attribute = {
  readonly name: string;
  readonly nameEnd: number;
  /** -1: the attribute has no value. */
  valueStart: number;
  valueEnd: number;
  isQuoted: boolean;
};

type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** The start tag that is being read; offsets are the tokenizer's. One draft serves all tags of a document in turn. */
export type TagDraft = {
  readonly window: SourceWindow;
  /** `null`: every attribute is kept. */
  readonly wanted: ReadonlySet<string> | null;
  name: string;
  /** Offset of the `<`. */
  start: number;
  nameEnd: number;
  attributes: Attribute[];
  edits: Edit[];
  isRemoved: boolean;
  behind: string;
  /** A `font` with one of the attributes by which it leaves SVG and MathML. */
  hasFont: boolean;
  open: Attribute | null;
  /** `encoding` of an `annotation-xml`. */
  encoding: Attribute | null;
};

/** Attributes by which a `font` is HTML even inside SVG and MathML. */
const FONT = new Set(["color", "face", "size"]);

export const createTagDraft = (window: SourceWindow, wanted: ReadonlySet<string> | null): TagDraft => ({
  window,
  wanted,
  name: "",
  start: 0,
  nameEnd: 0,
  attributes: [],
  edits: [],
  isRemoved: false,
  behind: "",
  hasFont: false,
  open: null,
  encoding: null,
});

const find = (draft: TagDraft, name: string): Attribute | undefined => {
  for (const entry of draft.attributes) if (entry.name === name) return entry;
  return undefined;
};

const valueOf = ({ window }: TagDraft, { valueStart, valueEnd }: Attribute): string =>
  valueStart < 0 ? "" : decodeAttribute(window.slice(valueStart, valueEnd));

const setAttribute = (draft: TagDraft, name: string, value: string): void => {
  const entry = find(draft, name);
  const quoted = `"${encodeAttribute(value)}"`;
  const { nameEnd } = draft;
  if (entry === undefined) draft.edits.push({ start: nameEnd, end: nameEnd, text: ` ${name}=${quoted}` });
  else if (entry.valueStart < 0) draft.edits.push({ start: entry.nameEnd, end: entry.nameEnd, text: `=${quoted}` });
  else {
    const quote = entry.isQuoted ? 1 : 0;
    draft.edits.push({ start: entry.valueStart - quote, end: entry.valueEnd + quote, text: quoted });
  }
};

/** The view of a draft that rules get; it stays valid only while the rule runs. */
export const startTagOf = (draft: TagDraft): StartTag => ({
  get name() {
    return draft.name;
  },
  names: () => draft.attributes.map((entry) => entry.name),
  get(attribute) {
    const entry = find(draft, attribute);
    return entry === undefined ? null : valueOf(draft, entry);
  },
  set: (attribute, value) => setAttribute(draft, attribute, value),
  remove() {
    draft.isRemoved = true;
  },
  after(markup) {
    draft.behind += markup;
  },
});

export const beginTag = (draft: TagDraft, name: string, nameStart: number, nameEnd: number): void => {
  draft.name = name;
  draft.start = nameStart - 1;
  draft.nameEnd = nameEnd;
  if (draft.attributes.length > 0) draft.attributes = [];
  if (draft.edits.length > 0) draft.edits = [];
  draft.isRemoved = false;
  draft.behind = "";
  draft.hasFont = false;
  draft.open = null;
  draft.encoding = null;
};

export const beginAttribute = (draft: TagDraft, written: string, nameEnd: number): void => {
  const name = written.toLowerCase();
  draft.open = null;
  if (draft.name === "font" && FONT.has(name)) draft.hasFont = true;
  const isEncoding = draft.name === "annotation-xml" && name === "encoding" && draft.encoding === null;
  const isWanted = (draft.wanted === null || draft.wanted.has(name)) && find(draft, name) === undefined;
  if (!isWanted && !isEncoding) return;
  draft.open = { name, nameEnd, valueStart: -1, valueEnd: -1, isQuoted: false };
  if (isWanted) draft.attributes.push(draft.open);
  if (isEncoding) draft.encoding = draft.open;
};

export const endAttribute = ({ open }: TagDraft, valueStart: number, valueEnd: number, isQuoted: boolean): void => {
  if (open === null) return;
  open.valueStart = valueStart;
  open.valueEnd = valueEnd;
  open.isQuoted = isQuoted;
};

/** An `annotation-xml` whose content is HTML (HTML standard, HTML integration points). */
export const isHtmlAnnotation = (draft: TagDraft): boolean =>
  draft.encoding !== null && /^(?:text\/html|application\/xhtml\+xml)$/i.test(valueOf(draft, draft.encoding));

/** Writes an edited tag, which ends before `end`; an untouched one is left to be written with the text around it. */
export const writeEdits = (draft: TagDraft, end: number): void => {
  const { window, edits, behind, isRemoved } = draft;
  if (edits.length === 0 && behind === "" && !isRemoved) return;
  window.flush(draft.start);
  if (isRemoved) window.skip(end);
  else {
    for (const edit of edits.toSorted((a, b) => a.start - b.start)) window.replace(edit.start, edit.end, edit.text);
    window.flush(end);
  }
  if (behind !== "") window.replace(end, end, behind);
};
