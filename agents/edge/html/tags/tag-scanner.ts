const name = 0;
const beforeAttribute = 1;
const attributeName = 2;
const afterName = 3;
const beforeValue = 4;
const doubleQuoted = 5;
const singleQuoted = 6;
const unquoted = 7;
const selfClosing = 8;

/** What a character means inside a tag, as bits, so that one look tells whether it ends a name or value. */
const blank = 1;
const slash = 2;
const close = 4;
const equals = 8;
const double = 16;
const single = 32;

const charMeanings = new Uint8Array(128);
for (const mark of "\t\n\f\r ") charMeanings[mark.charCodeAt(0)] = blank;
charMeanings["/".charCodeAt(0)] = slash;
charMeanings[">".charCodeAt(0)] = close;
charMeanings["=".charCodeAt(0)] = equals;
charMeanings['"'.charCodeAt(0)] = double;
charMeanings["'".charCodeAt(0)] = single;

const meaningAt = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return code < 128 ? (charMeanings[code] as number) : 0;
};

const firstOf = (text: string, from: number, meanings: number): number => {
  let at = from;
  while (at < text.length && (meaningAt(text, at) & meanings) === 0) at += 1;
  return at;
};

export interface AttributeSpan {
  nameStart: number;
  nameEnd: number;
  valueStart: number;
  valueEnd: number;
  isQuoted: boolean;
}

/** What `#between` made of a character: it is read again in the next state, it is used up, or it ends the tag. */
const again = 0;
const used = 1;
const ended = 2;

const newSpan = (): AttributeSpan => ({ nameStart: 0, nameEnd: 0, valueStart: -1, valueEnd: -1, isQuoted: false });

export class TagScanner {
  nameEnd = 0;
  isSelfClosing = false;
  count = 0;
  readonly spans: AttributeSpan[] = [];
  isAbandoned = false;
  #state = name;
  #open = newSpan();

  begin(): void {
    this.nameEnd = 0;
    this.isSelfClosing = false;
    this.count = 0;
    this.isAbandoned = false;
    this.#state = name;
  }

  /**
   * Reads on from an offset of `text`, in which the `<` of the tag has (or had) the offset `start`. Answers the offset
   * behind the `>`, or -1 when the text ends before it.
   */
  scan(text: string, from: number, start: number): number {
    let at = from;
    while (at < text.length) {
      switch (this.#state) {
        case name:
          at = firstOf(text, at, blank | slash | close);
          if (at === text.length) return -1;
          this.nameEnd = at - start;
          this.#state = beforeAttribute;
          break;
        case attributeName:
          at = firstOf(text, at, blank | slash | close | equals);
          if (at === text.length) return -1;
          this.#open.nameEnd = at - start;
          this.#state = afterName;
          if (meaningAt(text, at) !== equals) break;
          this.#state = beforeValue;
          at += 1;
          break;
        case doubleQuoted:
          at = this.#quotedValue(text, at, start, '"');
          break;
        case singleQuoted:
          at = this.#quotedValue(text, at, start, "'");
          break;
        case unquoted:
          at = firstOf(text, at, blank | close);
          if (at === text.length) return -1;
          this.#endValue(at - start);
          break;
        default: {
          const step = this.#between(meaningAt(text, at), at - start);
          if (step === ended) return at + 1;
          at += step;
        }
      }
    }
    return -1;
  }

  #between(meaning: number, offset: number): number {
    switch (this.#state) {
      case beforeAttribute:
        if (meaning === close) return ended;
        if (meaning === slash) this.#state = selfClosing;
        else if (meaning !== blank) this.#beginAttribute(offset);
        return used;
      case afterName:
        if (meaning === blank) return used;
        this.#state = meaning === equals ? beforeValue : beforeAttribute;
        return meaning === equals ? used : again;
      case beforeValue:
        return meaning === blank ? used : this.#beginValue(meaning, offset);
      default:
        this.isSelfClosing = meaning === close;
        this.#state = beforeAttribute;
        return again;
    }
  }

  #beginAttribute(offset: number): void {
    this.#open = this.spans[this.count] ??= newSpan();
    if (!this.isAbandoned) this.count += 1;
    this.#open.nameStart = offset;
    this.#open.valueStart = -1;
    this.#state = attributeName;
  }

  #beginValue(meaning: number, offset: number): number {
    const isQuoted = (meaning & (double | single)) !== 0;
    this.#open.isQuoted = isQuoted;
    this.#open.valueStart = isQuoted ? offset + 1 : offset;
    this.#open.valueEnd = offset;
    if (!isQuoted) this.#state = unquoted;
    else this.#state = meaning === double ? doubleQuoted : singleQuoted;
    return isQuoted ? used : again;
  }

  #quotedValue(text: string, from: number, start: number, quote: string): number {
    const at = text.indexOf(quote, from);
    if (at < 0) return text.length;
    this.#endValue(at - start);
    return at + 1;
  }

  #endValue(offset: number): void {
    this.#open.valueEnd = offset;
    this.#state = beforeAttribute;
  }
}
