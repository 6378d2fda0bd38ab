import { QuoteType, Tokenizer } from "htmlparser2";
import { createFeed } from "./feed.ts";
import { createForeignTracker } from "./foreign.ts";
import { createScriptEndFinder } from "./script-end.ts";
import { createTagDraft } from "./tag-draft.ts";
import type { StartTag } from "./tag-draft.ts";

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

const TAG_START = /<\/?(?:[a-z]|$)/i;

/**
 * Where a tag whose name is not complete may start at the end of `text`, or -1. A name may hold every character but
 * blanks, slash and `>`, even `<`; so the first bracket behind the last of those counts.
 */
const unfinishedTag = (text: string, longest: number): number => {
  let at = text.length;
  const least = Math.max(0, at - longest);
  while (at > least && !"\t\n\f\r />".includes(text[at - 1] as string)) at -= 1;
  if (text[at - 1] === "/" && text[at - 2] === "<") at -= 2;
  const found = text.slice(at).search(TAG_START);
  return found < 0 ? -1 : at + found;
};

/**
 * Rewrites HTML as a stream: the source is copied through untouched, and only the span of an edited attribute is
 * replaced, so that everything nobody asked about stays identical byte by byte.
 */
export const createTagStream = (rules: TagRules, write: (text: string) => void): TagStream => {
  const foreign = createForeignTracker();
  const draft = createTagDraft(rules.attributes);
  /** Source that is not all written; `base` is the tokenizer's offset of its first character. */
  let text = "";
  let base = 0;
  let written = 0;
  let isInTag = false;
  let isAbandoned = false;
  let wasForeign = false;
  let valueStart = -1;
  /** Offset of the style text that is held back, or -1. */
  let styleStart = -1;
  let scriptEnd: ReturnType<typeof createScriptEndFinder> | null = null;
  /** Source offset behind the name of an end tag that has attributes, or -1. */
  let endTagAt = -1;
  let isInEndTag = false;
  let isPaused = false;

  const slice = (start: number, end: number): string => text.slice(start - base, end - base);
  const flush = (to: number): void => {
    if (to <= written) return;
    write(slice(written, to));
    written = to;
  };
  const ignore = (): void => undefined;

  const pause = (): void => {
    isPaused = true;
    tokenizer.pause();
  };

  const openTag = (start: number, end: number): void => {
    if (isInEndTag) return;
    if (styleStart >= 0) styleStart = -1;
    wasForeign = foreign.isForeign();
    isInTag = true;
    isAbandoned = false;
    draft.begin(slice(start, end).toLowerCase(), start, end);
  };

  const finishTag = (end: number, selfClosing: boolean): void => {
    if (isInEndTag) {
      isInEndTag = false;
      isAbandoned = false;
      return;
    }
    const { name } = draft.tag;
    isInTag = false;
    if (!isAbandoned) {
      draft.finish(text, base);
      rules.startTag(draft.tag);
      if (draft.isEdited()) {
        flush(draft.start());
        draft.write(write, text, base, end + 1);
        written = end + 1;
      }
    }
    foreign.open(name, selfClosing, draft.hasFont(), draft.isHtmlAnnotation());
    if (name === "style" && rules.style !== undefined && !(selfClosing && wasForeign)) styleStart = end + 1;
    if (name !== "script" || wasForeign) return;
    // The tokenizer leaves a script at the first end tag; script-end.ts knows the rules for comments inside scripts.
    flush(end + 1);
    scriptEnd = createScriptEndFinder();
    pause();
  };

  const closeTag = (start: number, end: number): void => {
    const name = slice(start, end).toLowerCase();
    if (styleStart >= 0 && name === "style") {
      flush(styleStart);
      write(rules.style?.(slice(styleStart, start - 2), foreign.content() === "svg") ?? "");
      written = start - 2;
    }
    styleStart = -1;
    if (rules.endTags?.has(name)) {
      flush(start - 2);
      rules.endTag?.(name);
    }
    foreign.close(name);
    if (slice(end, end + 1) === ">") return;
    // The tokenizer would end the tag at the next `>`, a browser reads attributes whose quotes may hold one.
    endTagAt = end;
    pause();
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      isInForeignContext: foreign.isForeign,
      onopentagname: openTag,
      onopentagend: (end) => finishTag(end, false),
      onselfclosingtag: (end) => finishTag(end, true),
      onclosetag: closeTag,
      onattribname(start, end) {
        valueStart = -1;
        if (!isAbandoned) draft.attribute(slice(start, end), start, end);
      },
      onattribdata(start) {
        if (valueStart < 0) valueStart = start;
      },
      onattribend(quote, end) {
        if (isAbandoned) return;
        const isQuoted = quote === QuoteType.Double || quote === QuoteType.Single;
        draft.value(quote === QuoteType.NoValue ? -1 : valueStart, isQuoted ? end - 1 : end, isQuoted);
      },
      onattribentity: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );

  const settle = (): void => {
    const end = base + text.length;
    if (isInTag && end - draft.start() > rules.longestTag) isAbandoned = true;
    let to = end;
    if (isInTag && !isAbandoned) to = draft.start();
    else if (styleStart >= 0) to = styleStart;
    else if (!isInTag) {
      const bracket = unfinishedTag(text, rules.longestTag);
      if (bracket >= 0) to = base + bracket;
    }
    flush(to);
    text = slice(written, end);
    base = written;
  };

  /** Passes script text on; answers whether its end tag was found, after which tokenizing goes on. */
  const skipScript = (finder: NonNullable<typeof scriptEnd>): boolean => {
    const at = finder.find(text);
    const passed = at < 0 ? text.length - finder.keep(text) : at;
    write(text.slice(0, passed));
    text = text.slice(passed);
    if (at < 0) return false;
    scriptEnd = null;
    tokenizer.reset();
    base = 0;
    written = 0;
    return true;
  };

  /** Reads the rest of an end tag as if it were a start tag that nobody asks about. */
  const enterEndTag = (): void => {
    flush(endTagAt);
    text = text.slice(endTagAt - base);
    endTagAt = -1;
    isInEndTag = true;
    isAbandoned = true;
    tokenizer.reset();
    tokenizer.write("<a");
    base = 2;
    written = 2;
  };

  const feed = createFeed(tokenizer, foreign.isForeign, () => isPaused);

  return {
    push(chunk) {
      text += chunk;
      let fresh = chunk;
      for (;;) {
        if (scriptEnd !== null && !skipScript(scriptEnd)) return;
        if (endTagAt >= 0) enterEndTag();
        if (isPaused) fresh = text;
        isPaused = false;
        feed(fresh);
        if (!isPaused) return settle();
        if (endTagAt < 0) text = slice(written, base + text.length);
      }
    },
    end() {
      if (styleStart >= 0 && !isInTag && rules.style !== undefined) {
        flush(styleStart);
        write(rules.style(text.slice(styleStart - base), foreign.content() === "svg"));
      } else if (scriptEnd === null) flush(base + text.length);
      else write(text);
      text = "";
    },
  };
};
