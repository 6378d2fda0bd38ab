const NAME = 0;
const BEFORE_ATTRIBUTE = 1;
const ATTRIBUTE_NAME = 2;
const AFTER_NAME = 3;
const BEFORE_VALUE = 4;
const DOUBLE_QUOTED = 5;
const SINGLE_QUOTED = 6;
const UNQUOTED = 7;
const SELF_CLOSING = 8;

/** What a character means inside a tag, as bits, so that one look tells whether it ends a name or value. */
const BLANK = 1;
const SLASH = 2;
const CLOSE = 4;
const EQUALS = 8;
const DOUBLE = 16;
const SINGLE = 32;

const MEANINGS = new Uint8Array(128);
for (const mark of "\t\n\f\r ") MEANINGS[mark.charCodeAt(0)] = BLANK;
MEANINGS["/".charCodeAt(0)] = SLASH;
MEANINGS[">".charCodeAt(0)] = CLOSE;
MEANINGS["=".charCodeAt(0)] = EQUALS;
MEANINGS['"'.charCodeAt(0)] = DOUBLE;
MEANINGS["'".charCodeAt(0)] = SINGLE;

const meaningAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? (MEANINGS[code] as number) : 0;
};

const firstOf = (text: string, from: number, meanings: number): number => {
  let at = from;
  while (at < text.length && (meaningAt(text, at) & meanings) === 0) at += 1;
  return at;
};

export type AttributeSpan = {
  nameStart: number;
  nameEnd: number;
  valueStart: number;
  valueEnd: number;
  isQuoted: boolean;
};

/** What `#between` made of a character: it is read again in the next state, it is used up, or it ends the tag. */
const AGAIN = 0;
const USED = 1;
const ENDED = 2;

const newSpan = (): AttributeSpan => ({ nameStart: 0, nameEnd: 0, valueStart: -1, valueEnd: -1, isQuoted: false });

export class TagScanner {
  nameEnd = 0;
  isSelfClosing = false;
  count = 0;
  readonly spans: AttributeSpan[] = [];
  isAbandoned = false;
  #state = NAME;
  #open = newSpan();

  begin(): void {
    this.nameEnd = 0;
    this.isSelfClosing = false;
    this.count = 0;
    this.isAbandoned = false;
    this.#state = NAME;
  }

  /**
   * Reads on from an offset of `text`, in which the `<` of the tag has (or had) the offset `start`. Answers the offset
   * behind the `>`, or -1 when the text ends before it.
   */
  scan(text: string, from: number, start: number): number {
    let at = from;
    while (at < text.length) {
      switch (this.#state) {
        case NAME:
          at = firstOf(text, at, BLANK | SLASH | CLOSE);
          if (at === text.length) return -1;
          this.nameEnd = at - start;
          this.#state = BEFORE_ATTRIBUTE;
          break;
        case ATTRIBUTE_NAME:
          at = firstOf(text, at, BLANK | SLASH | CLOSE | EQUALS);
          if (at === text.length) return -1;
          this.#open.nameEnd = at - start;
          this.#state = AFTER_NAME;
          if (meaningAt(text, at) !== EQUALS) break;
          this.#state = BEFORE_VALUE;
          at += 1;
          break;
        case DOUBLE_QUOTED:
          at = this.#quotedValue(text, at, start, '"');
          break;
        case SINGLE_QUOTED:
          at = this.#quotedValue(text, at, start, "'");
          break;
        case UNQUOTED:
          at = firstOf(text, at, BLANK | CLOSE);
          if (at === text.length) return -1;
          this.#endValue(at - start);
          break;
        default: {
          const step = this.#between(meaningAt(text, at), at - start);
          if (step === ENDED) return at + 1;
          at += step;
        }
      }
    }
    return -1;
  }

  #between(meaning: number, offset: number): number {
    switch (this.#state) {
      case BEFORE_ATTRIBUTE:
        if (meaning === CLOSE) return ENDED;
        if (meaning === SLASH) this.#state = SELF_CLOSING;
        else if (meaning !== BLANK) this.#beginAttribute(offset);
        return USED;
      case AFTER_NAME:
        if (meaning === BLANK) return USED;
        this.#state = meaning === EQUALS ? BEFORE_VALUE : BEFORE_ATTRIBUTE;
        return meaning === EQUALS ? USED : AGAIN;
      case BEFORE_VALUE:
        return meaning === BLANK ? USED : this.#beginValue(meaning, offset);
      default:
        this.isSelfClosing = meaning === CLOSE;
        this.#state = BEFORE_ATTRIBUTE;
        return AGAIN;
    }
  }

  #beginAttribute(offset: number): void {
    this.#open = this.spans[this.count] ??= newSpan();
    if (!this.isAbandoned) this.count += 1;
    this.#open.nameStart = offset;
    this.#open.valueStart = -1;
    this.#state = ATTRIBUTE_NAME;
  }

  #beginValue(meaning: number, offset: number): number {
    const isQuoted = (meaning & (DOUBLE | SINGLE)) !== 0;
    this.#open.isQuoted = isQuoted;
    this.#open.valueStart = isQuoted ? offset + 1 : offset;
    this.#open.valueEnd = offset;
    if (!isQuoted) this.#state = UNQUOTED;
    else this.#state = meaning === DOUBLE ? DOUBLE_QUOTED : SINGLE_QUOTED;
    return isQuoted ? USED : AGAIN;
  }

  #quotedValue(text: string, from: number, start: number, quote: string): number {
    const at = text.indexOf(quote, from);
    if (at < 0) return text.length;
    this.#endValue(at - start);
    return at + 1;
  }

  #endValue(offset: number): void {
    this.#open.valueEnd = offset;
    this.#state = BEFORE_ATTRIBUTE;
  }
}
