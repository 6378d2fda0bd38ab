import { PulledBytes } from "../http/byte-stream.ts";
import type { ByteReader, ByteStream } from "../platform.ts";

/** Turns text in pieces. `push` may wait: what it answers is sent before more is read. */
export interface TextTransform {
  push(text: string): string | Promise<string>;
  end(): string | Promise<string>;
}

const unfinishedTail = (bytes: Uint8Array): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
};

const joined = (tail: Uint8Array, chunk: Uint8Array): Uint8Array => {
  if (tail.length === 0) return chunk;
  const bytes = new Uint8Array(tail.length + chunk.length);
  bytes.set(tail);
  bytes.set(chunk, tail.length);
  return bytes;
};

const nothing = new Uint8Array(0);

/**
 * Runs a text transform over UTF-8 bytes. From the first byte that is no UTF-8 on, the document passes through as it
 * is: a page in another charset must never be damaged by a guess.
 */
const createByteTransform = (transform: TextTransform) => {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();
  let tail: Uint8Array = nothing;
  let isRaw = false;
  const text = (bytes: Uint8Array): string | null => {
    try {
      return decoder.decode(bytes);
    } catch {
      return null;
    }
  };
  return {
    async push(chunk: Uint8Array): Promise<Uint8Array> {
      if (isRaw) return chunk;
      const bytes = joined(tail, chunk);
      const cut = bytes.length - unfinishedTail(bytes);
      const decoded = text(bytes.subarray(0, cut));
      if (decoded === null) {
        isRaw = true;
        return joined(encoder.encode(await transform.end()), bytes);
      }
      tail = bytes.slice(cut);
      const out = transform.push(decoded);
      return encoder.encode(typeof out === "string" ? out : await out);
    },
    async end(): Promise<Uint8Array> {
      if (isRaw) return nothing;
      return joined(encoder.encode(await transform.end()), tail);
    },
  };
};

const createCap = (most: number) => {
  let length = 0;
  return (bytes: Uint8Array): void => {
    length += bytes.length;
    if (length > most) throw new Error(`the body is longer than ${most} bytes`);
  };
};

/** A body made from what another one gives, which is given up when either breaks or nobody wants the rest. */
const pulledFrom = (reader: ByteReader, pull: () => Promise<Uint8Array | null>): ByteStream => {
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const pullOrStop = (): Promise<Uint8Array | null> =>
    pull().catch((error: unknown) => {
      stop();
      throw error;
    });
  return new PulledBytes(pullOrStop, stop);
};

/**
 * A body whose UTF-8 text is transformed as it is read; what comes in and what goes out may each have `most` bytes, a
 * longer body is broken off.
 */
export const transformText = (source: ByteStream, transform: TextTransform, most: number): ByteStream => {
  const reader = source.getReader();
  const bytes = createByteTransform(transform);
  const [countIn, countOut] = [createCap(most), createCap(most)];
  let isRead = false;
  const step = async (): Promise<Uint8Array> => {
    const read = await reader.read();
    isRead = read.done;
    if (!read.done) countIn(read.value);
    const out = read.done ? await bytes.end() : await bytes.push(read.value);
    countOut(out);
    return out;
  };
  return pulledFrom(reader, async () => {
    while (!isRead) {
      const out = await step();
      if (out.length > 0) return out;
    }
    return null;
  });
};

export const limitBytes = (source: ByteStream, most: number): ByteStream => {
  const reader = source.getReader();
  const count = createCap(most);
  return pulledFrom(reader, async () => {
    const step = await reader.read();
    if (step.done) return null;
    count(step.value);
    return step.value;
  });
};
