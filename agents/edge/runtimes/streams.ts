import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";

/** Node streams behind untouched web streams, so that a body that only passes through is not read piece by piece. */
const sources = new WeakMap<ReadableStream<Uint8Array>, Readable>();

/** Raised by a read that waited longer than it may. */
class BodyTimeout extends Error {}

const nextPiece = async (
  pieces: AsyncIterator<Uint8Array>,
  idleMs: number | undefined,
): Promise<IteratorResult<Uint8Array>> => {
  if (idleMs === undefined) return pieces.next();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new BodyTimeout("the body paused for too long")), idleMs);
  });
  try {
    return await Promise.race([pieces.next(), late]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * A node stream as a web stream that reads only when it is read. `cancel` runs instead of destroying the source where
 * that would take more with it than the body (an incoming request's socket).
 */
export const toWebStream = (
  source: Readable,
  options: { readonly idleMs?: number; readonly cancel?: () => void } = {},
): ReadableStream<Uint8Array> => {
  let pieces: AsyncIterator<Uint8Array> | null = null;
  // Not a byte stream: that would take the buffer of each piece away, and the parser's pieces share one.
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        pieces ??= source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
        try {
          const piece = await nextPiece(pieces, options.idleMs);
          if (piece.done === true) controller.close();
          else controller.enqueue(piece.value);
        } catch (error) {
          source.destroy();
          throw error;
        }
      },
      cancel() {
        if (options.cancel === undefined) source.destroy();
        else options.cancel();
      },
    },
    { highWaterMark: 0 },
  );
  sources.set(stream, source);
  return stream;
};

/** The node stream behind a web stream that nobody has read from yet. */
export const nativeSource = (stream: ReadableStream<Uint8Array>): Readable | undefined =>
  stream.locked ? undefined : sources.get(stream);

const drained = async (target: Writable): Promise<void> => {
  if (!target.writableNeedDrain || target.destroyed) return;
  await Promise.race([once(target, "drain"), once(target, "close")]);
};

/** Writes every piece with back-pressure; stops reading when the target is gone. Rejects when the source breaks. */
export const pump = async (stream: ReadableStream<Uint8Array>, target: Writable): Promise<void> => {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (target.destroyed) {
      await reader.cancel().catch(() => undefined);
      return;
    }
    if (!target.write(value)) await drained(target);
  }
};

/** Joins a body and a response without web streams in between; the end of either ends both. */
export const pipeNative = (source: Readable, target: ServerResponse): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (error?: Error | null): void => {
      source.unpipe(target);
      if (error !== undefined && error !== null) reject(error);
      else resolve();
    };
    source.once("error", stop);
    source.once("aborted", () => stop(new Error("the upstream broke off")));
    target.once("close", () => {
      if (!source.readableEnded) source.destroy();
      stop();
    });
    source.pipe(target);
    // The head goes out with the first piece; an origin that pauses before it must not hold the head back.
    setImmediate(() => {
      if (source.readableLength === 0 && !target.writableEnded && !target.destroyed) target.flushHeaders();
    });
  });
