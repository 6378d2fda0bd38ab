import { decodeAttribute, encodeAttribute } from "./attribute-text.ts";

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
  name: string;
  nameEnd: number;
  /** -1: the attribute has no value. */
  valueStart: number;
  valueEnd: number;
  isQuoted: boolean;
};

type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** Attributes that the tokenizer itself needs, to tell HTML from SVG and MathML. */
const FONT = new Set(["color", "face", "size"]);

/** Collects one start tag after the other; offsets are the tokenizer's. */
export const createTagDraft = (wanted: ReadonlySet<string> | null) => {
  let attributes: Attribute[] = [];
  let edits: Edit[] = [];
  let name = "";
  let start = 0;
  let nameEnd = 0;
  let isRemoved = false;
  let behind = "";
  let hasFont = false;
  let open: Attribute | null = null;
  let encoding: Attribute | null = null;
  let source = "";
  let base = 0;

  const find = (attribute: string): Attribute | undefined => {
    for (const entry of attributes) if (entry.name === attribute) return entry;
    return undefined;
  };
  const valueOf = (entry: Attribute): string =>
    entry.valueStart < 0 ? "" : decodeAttribute(source.slice(entry.valueStart - base, entry.valueEnd - base));

  const tag: StartTag = {
    get name() {
      return name;
    },
    names: () => attributes.map((entry) => entry.name),
    get(attribute) {
      const entry = find(attribute);
      return entry === undefined ? null : valueOf(entry);
    },
    set(attribute, value) {
      const entry = find(attribute);
      const quoted = `"${encodeAttribute(value)}"`;
      if (entry === undefined) edits.push({ start: nameEnd, end: nameEnd, text: ` ${attribute}=${quoted}` });
      else if (entry.valueStart < 0) edits.push({ start: entry.nameEnd, end: entry.nameEnd, text: `=${quoted}` });
      else {
        const quote = entry.isQuoted ? 1 : 0;
        edits.push({ start: entry.valueStart - quote, end: entry.valueEnd + quote, text: quoted });
      }
    },
    remove() {
      isRemoved = true;
    },
    after(markup) {
      behind += markup;
    },
  };

  return {
    tag,
    /** Offset of the tag's `<`. */
    start: () => start,
    begin(tagName: string, tagNameStart: number, tagNameEnd: number): void {
      name = tagName;
      start = tagNameStart - 1;
      nameEnd = tagNameEnd;
      if (attributes.length > 0) attributes = [];
      if (edits.length > 0) edits = [];
      isRemoved = false;
      behind = "";
      hasFont = false;
      open = null;
      encoding = null;
    },
    attribute(written: string, _start: number, end: number): void {
      const attribute = written.toLowerCase();
      open = null;
      if (name === "font" && FONT.has(attribute)) hasFont = true;
      const isEncoding = name === "annotation-xml" && attribute === "encoding" && encoding === null;
      const isWanted = (wanted === null || wanted.has(attribute)) && find(attribute) === undefined;
      if (!isWanted && !isEncoding) return;
      open = { name: attribute, nameEnd: end, valueStart: -1, valueEnd: -1, isQuoted: false };
      if (isWanted) attributes.push(open);
      if (isEncoding) encoding = open;
    },
    value(valueStart: number, valueEnd: number, isQuoted: boolean): void {
      if (open === null) return;
      open.valueStart = valueStart;
      open.valueEnd = valueEnd;
      open.isQuoted = isQuoted;
    },
    /** The tag is complete; its text is in `text`, whose first character has the offset `offset`. */
    finish(text: string, offset: number): void {
      source = text;
      base = offset;
    },
    isEdited: (): boolean => isRemoved || behind !== "" || edits.length > 0,
    hasFont: (): boolean => hasFont,
    isHtmlAnnotation: (): boolean =>
      encoding !== null && /^(?:text\/html|application\/xhtml\+xml)$/i.test(valueOf(encoding)),
    /** Writes the tag, which ends before the offset `end`, with its edits. */
    write(write: (text: string) => void, text: string, offset: number, end: number): void {
      let at = start;
      if (!isRemoved) {
        for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
          write(text.slice(at - offset, edit.start - offset) + edit.text);
          at = edit.end;
        }
        write(text.slice(at - offset, end - offset));
      }
      if (behind !== "") write(behind);
    },
  };
};
