import { QuoteType, Tokenizer } from "htmlparser2";
import type { TokenizerCallbacks } from "htmlparser2";
import { createFeed } from "./feed.ts";
import { createForeignTracker } from "./foreign.ts";
import { createScriptEndFinder } from "./script-end.ts";
import { createSourceWindow } from "./source-window.ts";
import type { SourceWindow } from "./source-window.ts";
import { beginAttribute, beginTag, createTagDraft, endAttribute, isHtmlAnnotation } from "./tag-draft.ts";
import { startTagOf, writeEdits } from "./tag-draft.ts";
import type { StartTag, TagDraft } from "./tag-draft.ts";

/** What is looked for in a document, and what is done with it. */
export type TagRules = {
  /** Lower-case names of the attributes that `startTag` asks for; `null`: every one. */
  readonly attributes: ReadonlySet<string> | null;
  /** Called for every start tag that is not too long, in document order. */
  startTag(tag: StartTag): void;
  /** Lower-case names of the end tags that `endTag` is told of. */
  readonly endTags?: ReadonlySet<string>;
  /** Called before the end tag is written; everything in front of it already is. */
  endTag?(name: string): void;
  /** Gives the new text of a `style` element. Without it such text is not held back. */
  style?(css: string, isInForeign: boolean): string;
  /** Longest start tag that is still edited, in characters; a longer one passes through as it came. */
  readonly longestTag: number;
};

/** A document that is read in pieces and written on at once, apart from a tag or style sheet that is not complete. */
export type TagStream = { push(chunk: string): void; end(): void };

/** Where the reading stands. */
type Reading = {
  readonly rules: TagRules;
  readonly window: SourceWindow;
  readonly draft: TagDraft;
  readonly tag: StartTag;
  readonly foreign: ReturnType<typeof createForeignTracker>;
  isInTag: boolean;
  /** The tag is too long to be edited, or is none: its attributes are of no interest. */
  isAbandoned: boolean;
  wasForeign: boolean;
  valueStart: number;
  /** Offset of the style text that is held back, or -1. */
  styleStart: number;
  /** Set while script text passes. */
  scriptEnd: ReturnType<typeof createScriptEndFinder> | null;
  /** Offset behind the name of an end tag that has attributes, or -1. */
  endTagAt: number;
  isInEndTag: boolean;
  /** The tokenizer stopped, because what follows is read in another way. */
  isPaused: boolean;
};

/** Longest tag name that is held back while it is not complete. */
const LONGEST_NAME = 4_096;
/** Source is read in pieces of this many characters; what starts anew behind a script costs no more than one. */
const PIECE = 2_048;

const TAG_START = /<\/?(?:[a-z]|$)/i;

/**
 * Where a tag whose name is not complete may start at the end of `text`, or -1. A name may hold every character but
 * blanks, slash and `>`, even `<`; so the first bracket behind the last of those counts.
 */
const unfinishedTag = (text: string): number => {
  let at = text.length;
  const least = Math.max(0, at - LONGEST_NAME);
  while (at > least && !"\t\n\f\r />".includes(text[at - 1] as string)) at -= 1;
  if (text[at - 1] === "/" && text[at - 2] === "<") at -= 2;
  const found = text.slice(at).search(TAG_START);
  return found < 0 ? -1 : at + found;
};

const openTag = (reading: Reading, start: number, end: number): void => {
  if (reading.isInEndTag) return;
  reading.styleStart = -1;
  reading.wasForeign = reading.foreign.isForeign();
  reading.isInTag = true;
  reading.isAbandoned = false;
  beginTag(reading.draft, reading.window.slice(start, end).toLowerCase(), start, end);
};

/** Ends a start tag at the offset of its `>`. */
const finishTag = (reading: Reading, at: number, isSelfClosing: boolean): void => {
  const { rules, draft, window, foreign, wasForeign, isAbandoned } = reading;
  reading.isInTag = false;
  reading.isAbandoned = false;
  if (reading.isInEndTag) {
    reading.isInEndTag = false;
    return;
  }
  if (!isAbandoned) {
    rules.startTag(reading.tag);
    writeEdits(draft, at + 1);
  }
  foreign.open(draft.name, isSelfClosing, draft.hasFont, isHtmlAnnotation(draft));
  const isStyle = draft.name === "style" && !(isSelfClosing && wasForeign);
  if (isStyle && rules.style !== undefined) reading.styleStart = at + 1;
  if (draft.name !== "script" || wasForeign) return;
  // The tokenizer leaves a script at the first end tag; script-end.ts knows the rules for comments inside scripts.
  window.flush(at + 1);
  reading.scriptEnd = createScriptEndFinder();
  reading.isPaused = true;
};

const writeStyle = ({ rules, window, foreign, styleStart }: Reading, end: number): void => {
  const css = rules.style?.(window.slice(styleStart, end), foreign.content() === "svg") ?? "";
  window.replace(styleStart, end, css);
};

/** Reads the name of an end tag. */
const closeTag = (reading: Reading, start: number, end: number): void => {
  const { rules, window, foreign } = reading;
  const name = window.slice(start, end).toLowerCase();
  if (reading.styleStart >= 0 && name === "style") writeStyle(reading, start - 2);
  reading.styleStart = -1;
  if (rules.endTags?.has(name)) {
    window.flush(start - 2);
    rules.endTag?.(name);
  }
  foreign.close(name);
  if (window.slice(end, end + 1) === ">") return;
  // The tokenizer would end the tag at the next `>`, a browser reads attributes whose quotes may hold one.
  reading.endTagAt = end;
  reading.isPaused = true;
};

const ignore = (): void => undefined;

/** What the tokenizer tells us; `pause` stops it after the callback. */
const callbacksOf = (reading: Reading, pause: () => void): TokenizerCallbacks => {
  return {
    isInForeignContext: reading.foreign.isForeign,
    onopentagname: (start, end) => openTag(reading, start, end),
    onopentagend(at) {
      finishTag(reading, at, false);
      if (reading.isPaused) pause();
    },
    onselfclosingtag(at) {
      finishTag(reading, at, true);
      if (reading.isPaused) pause();
    },
    onclosetag(start, end) {
      closeTag(reading, start, end);
      if (reading.isPaused) pause();
    },
    onattribname(start, end) {
      reading.valueStart = -1;
      if (!reading.isAbandoned) beginAttribute(reading.draft, reading.window.slice(start, end), end);
    },
    onattribdata(start) {
      if (reading.valueStart < 0) reading.valueStart = start;
    },
    onattribend(quote, end) {
      if (reading.isAbandoned || quote === QuoteType.NoValue) return;
      const isQuoted = quote !== QuoteType.Unquoted;
      endAttribute(reading.draft, reading.valueStart, isQuoted ? end - 1 : end, isQuoted);
    },
    onattribentity: ignore,
    oncdata: ignore,
    oncomment: ignore,
    ondeclaration: ignore,
    onend: ignore,
    onprocessinginstruction: ignore,
    ontext: ignore,
    ontextentity: ignore,
  };
};

/** Writes what is certain at the end of a chunk: all but an unfinished tag or style sheet. */
const settle = (reading: Reading): void => {
  const { rules, window, draft } = reading;
  const end = window.end();
  if (reading.isInTag && end - draft.start > rules.longestTag) reading.isAbandoned = true;
  if (reading.isInTag && !reading.isAbandoned) window.flush(draft.start);
  else if (reading.styleStart >= 0) window.flush(reading.styleStart);
  else {
    const bracket = reading.isInTag ? -1 : unfinishedTag(window.text());
    window.flush(bracket < 0 ? end : end - window.text().length + bracket);
  }
  window.trim();
};

/** Passes script text on; answers whether its end tag was found, after which tokenizing goes on. */
const skipScript = (reading: Reading, finder: NonNullable<Reading["scriptEnd"]>, tokenizer: Tokenizer): boolean => {
  const { window } = reading;
  window.rebase(0);
  const text = window.text();
  const at = finder.find(text);
  window.flush(at < 0 ? text.length - finder.keep(text) : at);
  if (at < 0) return false;
  window.rebase(0);
  reading.scriptEnd = null;
  tokenizer.reset();
  return true;
};

/** Reads the rest of an end tag as if it were a start tag that nobody asks about. */
const enterEndTag = (reading: Reading, tokenizer: Tokenizer): void => {
  const opening = "<a";
  reading.window.flush(reading.endTagAt);
  reading.window.rebase(opening.length);
  reading.endTagAt = -1;
  reading.isInEndTag = true;
  reading.isAbandoned = true;
  tokenizer.reset();
  tokenizer.write(opening);
};

/**
 * Rewrites HTML as a stream: the source is copied through untouched, and only the span of an edited attribute is
 * replaced, so that everything nobody asked about stays identical byte by byte.
 */
export const createTagStream = (rules: TagRules, write: (text: string) => void): TagStream => {
  const window = createSourceWindow(write);
  const draft = createTagDraft(window, rules.attributes);
  const foreign = createForeignTracker();
  const reading: Reading = {
    rules,
    window,
    draft,
    tag: startTagOf(draft),
    foreign,
    isInTag: false,
    isAbandoned: false,
    wasForeign: false,
    valueStart: -1,
    styleStart: -1,
    scriptEnd: null,
    endTagAt: -1,
    isInEndTag: false,
    isPaused: false,
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    callbacksOf(reading, () => tokenizer.pause()),
  );
  const feed = createFeed(tokenizer, foreign.isForeign, () => reading.isPaused);
  const pushPiece = (piece: string): void => {
    window.append(piece);
    let fresh = piece;
    do {
      if (reading.scriptEnd !== null && !skipScript(reading, reading.scriptEnd, tokenizer)) return;
      if (reading.endTagAt >= 0) enterEndTag(reading, tokenizer);
      if (reading.isPaused) fresh = window.text();
      reading.isPaused = false;
      feed(fresh);
    } while (reading.isPaused);
    settle(reading);
  };
  return {
    push(chunk) {
      if (chunk.length <= PIECE) return pushPiece(chunk);
      for (let at = 0; at < chunk.length; at += PIECE) pushPiece(chunk.slice(at, at + PIECE));
    },
    end() {
      if (reading.styleStart >= 0 && !reading.isInTag) writeStyle(reading, window.end());
      else window.flush(window.end());
      window.trim();
    },
  };
};
