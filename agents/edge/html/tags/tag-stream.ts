import { createForeignTracker } from "./foreign.ts";
import { createNameTable, isNameAt, lowerName, type NameTable } from "./name-table.ts";
import { createPlainMarkup } from "../plain-markup.ts";
import { createScriptEndFinder } from "./script-end.ts";
import { SourceWindow } from "./source-window.ts";
import { TagDraft, type StartTag } from "./tag-draft.ts";
import { TagScanner } from "./tag-scanner.ts";

export interface AskedTags {
  /** Lower-case names of the attributes that `startTag` asks for; `null`: every one. */
  readonly attributes: ReadonlySet<string> | null;
  /**
   * Source of an expression for values that `startTag` never changes: it need not be told of a tag whose attributes
   * have no others.
   */
  readonly leftAlone?: string;
  readonly startTags?: ReadonlySet<string>;
  readonly endTags?: ReadonlySet<string>;
  readonly longestTag: number;
}

export interface TagHandlers {
  /**
   * Called in document order for start tags with an attribute that is asked for (`null`: for every one), and for those
   * named by `startTags`, unless they are too long.
   */
  startTag(tag: StartTag): void;
  endTag?(name: string): void;
  style?(css: string, isInForeign: boolean): string;
}

type Prepared = AskedTags & {
  readonly names: NameTable;
  readonly wanted: NameTable | null;
  readonly plain: RegExp | null;
};

export interface TagStream {
  push(chunk: string): void;
  end(): void;
}

type Mode = (reading: Reading) => boolean;

interface Reading {
  readonly asked: Prepared;
  readonly handlers: TagHandlers;
  readonly window: SourceWindow;
  readonly scanner: TagScanner;
  readonly draft: TagDraft;
  readonly foreign: ReturnType<typeof createForeignTracker>;
  mode: Mode;
  at: number;
  tagStart: number;
  isEndTag: boolean;
  abandonedName: string;
  textElement: string;
  scriptEnd: ReturnType<typeof createScriptEndFinder>;
  styleStart: number;
}

const textElements = new Set(["style", "title", "textarea", "xmp", "iframe", "noembed", "noframes"]);
const font = createNameTable(["color", "face", "size"]);
const encodingName = createNameTable(["encoding"]);
const cdata = "<![CDATA[";

const slash = "/".charCodeAt(0);
const exclamationMark = "!".charCodeAt(0);
const questionMark = "?".charCodeAt(0);
const lowerA = "a".charCodeAt(0);
const lowerZ = "z".charCodeAt(0);

const isLetter = (code: number): boolean => (code | 32) >= lowerA && (code | 32) <= lowerZ;

const nameOf = ({ asked, window, scanner, foreign, tagStart, isEndTag, abandonedName }: Reading): string => {
  if (scanner.isAbandoned) return abandonedName;
  const [start, end] = [tagStart + (isEndTag ? 2 : 1), tagStart + scanner.nameEnd];
  // Inside SVG and MathML every element counts.
  return foreign.isEntered() ? lowerName(window.text.slice(start, end)) : (asked.names(window.text, start, end) ?? "");
};

const writeStyle = (reading: Reading, end: number): void => {
  const { handlers, window, foreign, styleStart } = reading;
  const css = handlers.style?.(window.text.slice(styleStart, end), foreign.content() === "svg") ?? "";
  window.replace(styleStart, end, css);
  reading.styleStart = -1;
};

const goOn = (reading: Reading, mode: Mode, at: number): true => {
  reading.mode = mode;
  reading.at = at;
  return true;
};

const awaitMore = (reading: Reading, beginning: RegExp, longest: number): false => {
  const { text } = reading.window;
  const from = Math.max(reading.at, text.length - longest);
  const found = text.slice(from).search(beginning);
  reading.at = found < 0 ? text.length : from + found;
  return false;
};

const afterPlain = ({ asked, foreign, styleStart, at }: Reading, text: string): number => {
  const { plain } = asked;
  if (plain === null || styleStart >= 0 || foreign.isEntered()) return at;
  plain.lastIndex = at;
  plain.test(text);
  return plain.lastIndex;
};

const readText: Mode = (reading) => {
  const { text } = reading.window;
  const at = text.indexOf("<", afterPlain(reading, text));
  if (at < 0) return awaitMore(reading, /<$/, 0);
  reading.at = at;
  if (at + 1 === text.length) return false;
  const code = text.charCodeAt(at + 1);
  if (isLetter(code)) return beginTag(reading, at, false);
  if (code === slash) return readEndTagOpen(reading, at);
  if (code === exclamationMark) return readDeclarationOpen(reading, at);
  return goOn(reading, code === questionMark ? readBogusComment : readText, at + 1);
};

const readEndTagOpen = (reading: Reading, at: number): boolean => {
  const { text } = reading.window;
  if (at + 2 === text.length) return false;
  return isLetter(text.charCodeAt(at + 2)) ? beginTag(reading, at, true) : goOn(reading, readBogusComment, at + 2);
};

const readDeclarationOpen = (reading: Reading, at: number): boolean => {
  const { text } = reading.window;
  const opening = text.slice(at, at + cdata.length);
  if (opening.startsWith("<!--")) return readCommentOpen(reading, at);
  if ("<!--".startsWith(opening)) return false;
  if (!cdata.startsWith(opening) || !reading.foreign.isForeign()) return goOn(reading, readBogusComment, at + 2);
  return opening === cdata && goOn(reading, readCdata, at + cdata.length);
};

const readCommentOpen = (reading: Reading, at: number): boolean => {
  const { text } = reading.window;
  if (text.startsWith("<!-->", at)) return goOn(reading, readText, at + 5);
  if (text.startsWith("<!--->", at)) return goOn(reading, readText, at + 6);
  return text.length >= at + 6 && goOn(reading, readComment, at + 4);
};

const readComment: Mode = (reading) => {
  const ending = /--!?>/g;
  ending.lastIndex = reading.at;
  if (!ending.test(reading.window.text)) return awaitMore(reading, /-(?:-!?)?$/, 3);
  return goOn(reading, readText, ending.lastIndex);
};

const readBogusComment: Mode = (reading) => {
  const end = reading.window.text.indexOf(">", reading.at);
  return end < 0 ? awaitMore(reading, />$/, 0) : goOn(reading, readText, end + 1);
};

const readCdata: Mode = (reading) => {
  const end = reading.window.text.indexOf("]]>", reading.at);
  return end < 0 ? awaitMore(reading, /\]{1,2}$/, 2) : goOn(reading, readText, end + 3);
};

const readPlaintext: Mode = (reading) => {
  reading.at = reading.window.text.length;
  return false;
};

const readScript: Mode = (reading) => {
  const { text } = reading.window;
  const at = reading.scriptEnd.find(text, reading.at);
  if (at >= 0) return beginTag(reading, at, true);
  reading.at = reading.scriptEnd.resumeAt(text);
  return false;
};

const readElementText: Mode = (reading) => {
  const { window, textElement } = reading;
  const at = window.text.indexOf("</", reading.at);
  if (at < 0) return awaitMore(reading, /<$/, 1);
  reading.at = at;
  const nameEnd = at + 2 + textElement.length;
  const isNamed = isNameAt(window.text, at + 2, textElement.slice(0, window.text.length - at - 2));
  if (isNamed && nameEnd >= window.text.length) return false;
  const isEnd = isNamed && "\t\n\f\r />".includes(window.text[nameEnd] as string);
  return isEnd ? beginTag(reading, at, true) : goOn(reading, readElementText, at + 2);
};

const beginTag = (reading: Reading, at: number, isEndTag: boolean): true => {
  if (reading.styleStart >= 0) writeStyle(reading, at);
  reading.tagStart = at;
  reading.isEndTag = isEndTag;
  reading.scanner.begin();
  return goOn(reading, readTag, at + (isEndTag ? 2 : 1));
};

const readTag: Mode = (reading) => {
  const { window, scanner, tagStart } = reading;
  const end = scanner.scan(window.text, reading.at, tagStart);
  if (end < 0) {
    reading.at = window.text.length;
    return false;
  }
  goOn(reading, readText, end);
  if (reading.isEndTag) finishEndTag(reading);
  else finishStartTag(reading, end);
  return true;
};

const finishEndTag = (reading: Reading): void => {
  const { asked, handlers, window, foreign, tagStart } = reading;
  const name = nameOf(reading);
  if (name === "") return;
  if (asked.endTags?.has(name)) {
    window.flush(tagStart);
    handlers.endTag?.(name);
  }
  foreign.close(name);
};

const finishStartTag = (reading: Reading, end: number): void => {
  const { asked, handlers, draft, scanner, tagStart } = reading;
  const name = nameOf(reading);
  if (!scanner.isAbandoned) {
    const hasWanted = draft.take(tagStart);
    if (hasWanted || asked.attributes === null || asked.startTags?.has(name)) {
      handlers.startTag(draft);
      draft.write(end);
    }
  }
  if (name !== "") enterElement(reading, name, end);
};

const enterElement = (reading: Reading, name: string, at: number): void => {
  const { handlers, draft, scanner, foreign } = reading;
  const isForeign = foreign.isForeign();
  const { isSelfClosing } = scanner;
  const isHeld = isForeign && !scanner.isAbandoned;
  const hasFont = isHeld && name === "font" && draft.anyOf(font) !== null;
  const encoding = isHeld && name === "annotation-xml" ? draft.anyOf(encodingName) : null;
  foreign.open(name, isSelfClosing, hasFont, /^(?:text\/html|application\/xhtml\+xml)$/i.test(encoding ?? ""));
  if (name === "style" && handlers.style !== undefined && !(isSelfClosing && isForeign)) reading.styleStart = at;
  if (isForeign) return;
  if (name === "plaintext") reading.mode = readPlaintext;
  if (name === "script") {
    reading.scriptEnd = createScriptEndFinder();
    reading.mode = readScript;
  }
  if (!textElements.has(name)) return;
  reading.textElement = name;
  reading.mode = readElementText;
};

const abandonTag = (reading: Reading): void => {
  const { scanner, window, tagStart, isEndTag } = reading;
  const name = window.text.slice(tagStart + (isEndTag ? 2 : 1), tagStart + scanner.nameEnd);
  reading.abandonedName = lowerName(name);
  scanner.isAbandoned = true;
};

const settle = (reading: Reading): void => {
  const { asked, window, scanner, tagStart, styleStart } = reading;
  const isInTag = reading.mode === readTag;
  if (isInTag && !scanner.isAbandoned && reading.at - tagStart > asked.longestTag) abandonTag(reading);
  if (styleStart >= 0) window.flush(styleStart);
  else window.flush(isInTag && !scanner.isAbandoned ? tagStart : reading.at);
  const forgotten = window.trim();
  reading.at -= forgotten;
  reading.tagStart -= forgotten;
  if (styleStart >= 0) reading.styleStart -= forgotten;
};

const createReading = (asked: Prepared, handlers: TagHandlers, write: (text: string) => void): Reading => {
  const window = new SourceWindow(write);
  const scanner = new TagScanner();
  return {
    asked,
    handlers,
    window,
    scanner,
    draft: new TagDraft(window, scanner, asked.wanted),
    foreign: createForeignTracker(),
    mode: readText,
    at: 0,
    tagStart: -1,
    isEndTag: false,
    abandonedName: "",
    textElement: "",
    scriptEnd: createScriptEndFinder(),
    styleStart: -1,
  };
};

const prepare = (asked: AskedTags): Prepared => {
  const { attributes, startTags = [], endTags = [], leftAlone } = asked;
  const names = new Set([...textElements, "script", "plaintext", "svg", "math", ...startTags, ...endTags]);
  return {
    ...asked,
    names: createNameTable(names),
    wanted: attributes === null ? null : createNameTable(attributes),
    plain: attributes === null ? null : createPlainMarkup(names, attributes, leftAlone),
  };
};

/**
 * Rewrites HTML as a stream: the source is copied through untouched, and only the span of an edited attribute is
 * replaced, so that everything nobody asked about stays identical byte by byte. Answers what opens a document.
 */
export const createTagReader = (askedTags: AskedTags) => {
  const asked = prepare(askedTags);
  return (handlers: TagHandlers, write: (text: string) => void): TagStream => {
    const reading = createReading(asked, handlers, write);
    return {
      push(chunk) {
        reading.window.append(chunk);
        while (reading.mode(reading));
        settle(reading);
      },
      end() {
        const { window, styleStart } = reading;
        if (styleStart >= 0) writeStyle(reading, window.text.length);
        else window.flush(window.text.length);
        window.trim();
      },
    };
  };
};
