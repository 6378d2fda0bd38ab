import { decodeAttribute, encodeAttribute } from "./attribute-text.ts";
import { lowerName, type NameTable } from "./name-table.ts";
import type { SourceWindow } from "./source-window.ts";
import type { AttributeSpan, TagScanner } from "./tag-scanner.ts";

/** One start tag as a rule sees it. Attribute names are lower case; of two equal ones only the first counts. */
export interface StartTag {
  readonly name: string;
  edit(next: (value: string, attribute: string) => string | null): void;
  get(attribute: string): string | null;
  set(attribute: string, value: string): void;
  remove(): void;
  after(markup: string): void;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const noEdits: readonly Edit[] = [];

/**
 * The start tag that was read last, as long as the window holds it. One draft serves all tags of a document in turn; a
 * rule's view stays valid only while the rule runs.
 */
export class TagDraft implements StartTag {
  readonly #window: SourceWindow;
  readonly #scanner: TagScanner;
  readonly #wanted: NameTable | null;
  #start = 0;
  readonly #names: string[] = [];
  readonly #spans: AttributeSpan[] = [];
  #count = 0;
  #edits: readonly Edit[] = noEdits;
  #isRemoved = false;
  #behind = "";

  constructor(window: SourceWindow, scanner: TagScanner, wanted: NameTable | null) {
    this.#window = window;
    this.#scanner = scanner;
    this.#wanted = wanted;
  }

  take(start: number): boolean {
    this.#start = start;
    this.#count = 0;
    const { count, spans } = this.#scanner;
    for (let index = 0; index < count; index += 1) this.#keep(spans[index] as AttributeSpan);
    return this.#count > 0;
  }

  #keep(span: AttributeSpan): void {
    const { text } = this.#window;
    const start = this.#start + span.nameStart;
    const end = this.#start + span.nameEnd;
    const name = this.#wanted === null ? lowerName(text.slice(start, end)) : this.#wanted(text, start, end);
    if (name === undefined || this.#find(name) !== undefined) return;
    this.#names[this.#count] = name;
    this.#spans[this.#count] = span;
    this.#count += 1;
  }

  #source(start: number, end: number): string {
    return this.#window.text.slice(this.#start + start, this.#start + end);
  }

  #valueOf({ valueStart, valueEnd }: AttributeSpan): string {
    return valueStart < 0 ? "" : decodeAttribute(this.#source(valueStart, valueEnd));
  }

  #find(attribute: string): AttributeSpan | undefined {
    for (let index = 0; index < this.#count; index += 1) {
      if (this.#names[index] === attribute) return this.#spans[index];
    }
    return undefined;
  }

  anyOf(names: NameTable): string | null {
    const { text } = this.#window;
    const { count, spans } = this.#scanner;
    for (const span of spans.slice(0, count)) {
      const isNamed = names(text, this.#start + span.nameStart, this.#start + span.nameEnd) !== undefined;
      if (isNamed) return this.#valueOf(span);
    }
    return null;
  }

  get name(): string {
    return lowerName(this.#source(1, this.#scanner.nameEnd));
  }

  edit(next: (value: string, attribute: string) => string | null): void {
    for (let index = 0; index < this.#count; index += 1) {
      const span = this.#spans[index] as AttributeSpan;
      const value = next(this.#valueOf(span), this.#names[index] as string);
      if (value !== null) this.#setValue(span, value);
    }
  }

  get(attribute: string): string | null {
    const span = this.#find(attribute);
    return span === undefined ? null : this.#valueOf(span);
  }

  set(attribute: string, value: string): void {
    const span = this.#find(attribute);
    const { nameEnd } = this.#scanner;
    if (span === undefined) this.#replace(nameEnd, nameEnd, ` ${attribute}="${encodeAttribute(value)}"`);
    else this.#setValue(span, value);
  }

  #setValue({ nameEnd, valueStart, valueEnd, isQuoted }: AttributeSpan, value: string): void {
    const encoded = encodeAttribute(value);
    const quote = isQuoted ? 1 : 0;
    if (valueStart < 0) this.#replace(nameEnd, nameEnd, `="${encoded}"`);
    else if (isQuoted && this.#source(valueEnd, valueEnd + 1) === '"') this.#replace(valueStart, valueEnd, encoded);
    else this.#replace(valueStart - quote, valueEnd + quote, `"${encoded}"`);
  }

  remove(): void {
    this.#isRemoved = true;
  }

  after(markup: string): void {
    this.#behind += markup;
  }

  #replace(start: number, end: number, text: string): void {
    this.#edits = [...this.#edits, { start: this.#start + start, end: this.#start + end, text }];
  }

  write(end: number): void {
    const edits = this.#edits.length > 1 ? this.#edits.toSorted((a, b) => a.start - b.start) : this.#edits;
    if (this.#isRemoved) this.#window.replace(this.#start, end, "");
    else for (const edit of edits) this.#window.replace(edit.start, edit.end, edit.text);
    if (this.#behind !== "") this.#window.replace(end, end, this.#behind);
    this.#edits = noEdits;
    this.#isRemoved = false;
    this.#behind = "";
  }
}
