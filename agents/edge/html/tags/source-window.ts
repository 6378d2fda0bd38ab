export class SourceWindow {
  text = "";
  #written = 0;
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  append(chunk: string): void {
    this.text = this.text === "" ? chunk : this.text + chunk;
  }

  flush(to: number): void {
    if (to <= this.#written) return;
    this.#write(this.text.slice(this.#written, to));
    this.#written = to;
  }

  replace(start: number, end: number, other: string): void {
    this.flush(start);
    this.#write(other);
    this.#written = end;
  }

  trim(): number {
    const forgotten = this.#written;
    this.text = this.text.slice(forgotten);
    this.#written = 0;
    return forgotten;
  }
}
