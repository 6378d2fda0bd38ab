/**
 * The part of a document that was read and is not all written. Offsets are the tokenizer's, which counts from the last
 * time it was set back.
 */
export const createSourceWindow = (write: (text: string) => void) => {
  let text = "";
  /** Offset of the first character of `text`. */
  let base = 0;
  /** Offset up to which everything is written. */
  let written = 0;

  return {
    append(chunk: string): void {
      text += chunk;
    },
    text: (): string => text,
    end: (): number => base + text.length,
    /** Source that is still held; empty where it was let go of. */
    slice: (start: number, end: number): string => (start < base ? "" : text.slice(start - base, end - base)),
    /** Writes everything up to an offset as it came. */
    flush(to: number): void {
      if (to <= written) return;
      write(text.slice(written - base, to - base));
      written = to;
    },
    /** Writes other text in the place of a span; everything in front of it is written as it came. */
    replace(start: number, end: number, other: string): void {
      if (start > written) write(text.slice(written - base, start - base));
      write(other);
      written = end;
    },
    /** Leaves everything up to an offset out. */
    skip(to: number): void {
      written = to;
    },
    /** Forgets what is written. */
    trim(): void {
      if (written === base) return;
      text = text.slice(written - base);
      base = written;
    },
    /** Goes on with the unwritten rest, whose first character now has the given offset. */
    rebase(offset: number): void {
      text = text.slice(written - base);
      base = offset;
      written = offset;
    },
  };
};

export type SourceWindow = ReturnType<typeof createSourceWindow>;
