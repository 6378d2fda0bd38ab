/** The part of a document that was read and is not all written. Offsets count from the first character still held. */
export class SourceWindow {
  text = "";
  /** Offset up to which everything is written. */
  #written = 0;
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  append(chunk: string): void {
    this.text = this.text === "" ? chunk : this.text + chunk;
  }

  /** Writes everything up to an offset as it came. */
  flush(to: number): void {
    if (to <= this.#written) return;
    this.#write(this.text.slice(this.#written, to));
    this.#written = to;
  }

  /** Writes other text in the place of a span; everything in front of it is written as it came. */
  replace(start: number, end: number, other: string): void {
    this.flush(start);
    this.#write(other);
    this.#written = end;
  }

  /** Forgets what is written; answers by how much every offset shrinks. */
  trim(): number {
    const forgotten = this.#written;
    this.text = this.text.slice(forgotten);
    this.#written = 0;
    return forgotten;
  }
}
