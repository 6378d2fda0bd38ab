import type { ServerResponse } from "node:http";
import type { Readable, Writable } from "node:stream";
import { PulledBytes } from "../../http/byte-stream.ts";
import type { ByteStream } from "../../platform.ts";

class BodyTimeout extends Error {}

const createPieceReader = (source: Readable, idleMs: number | undefined): (() => Promise<Uint8Array | null>) => {
  let wake = (): void => undefined;
  for (const event of ["readable", "end", "error", "close"]) source.on(event, () => wake());
  const wait = async (): Promise<void> => {
    const late = (): void => void source.destroy(new BodyTimeout("the body paused for too long"));
    const timer = idleMs === undefined ? undefined : setTimeout(late, idleMs);
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    clearTimeout(timer);
  };
  return async () => {
    for (;;) {
      const piece = source.read() as Uint8Array | null;
      if (piece !== null) return piece;
      if (source.readableEnded) return null;
      if (source.destroyed) throw source.errored ?? new Error("the body broke off");
      await wait();
    }
  };
};

/**
 * A node stream as a body that is read only when it is asked for. `cancel` runs instead of destroying the source where
 * that would take more with it than the body (an incoming request's socket).
 */
export class NodeBytes extends PulledBytes {
  readonly source: Readable;

  constructor(source: Readable, options: { readonly idleMs?: number; readonly cancel?: () => void } = {}) {
    let next: ReturnType<typeof createPieceReader> | null = null;
    const pull = (): Promise<Uint8Array | null> => {
      next ??= createPieceReader(source, options.idleMs);
      return next();
    };
    super(pull, options.cancel ?? (() => void source.destroy()));
    this.source = source;
  }
}

/** The node stream behind a body that nobody has read from yet, so that it need not be read piece by piece. */
export const nativeSource = (body: ByteStream): Readable | undefined =>
  body instanceof NodeBytes && !body.locked ? body.source : undefined;

/** Resolves when more may be written, or when nobody will read it. */
export const drained = (target: Writable): Promise<void> =>
  new Promise((resolve) => {
    if (!target.writableNeedDrain || target.destroyed) return resolve();
    const done = (): void => {
      target.removeListener("drain", done);
      target.removeListener("close", done);
      resolve();
    };
    target.once("drain", done);
    target.once("close", done);
  });

/**
 * Writes every piece with back-pressure, telling of each; stops reading when the target is gone. Rejects when the
 * source breaks.
 */
export const pump = async (
  stream: ByteStream,
  target: Writable,
  onPiece: () => void = () => undefined,
): Promise<void> => {
  const reader = stream.getReader();
  for (;;) {
    const step = await reader.read();
    if (step.done) return;
    if (target.destroyed) {
      await reader.cancel().catch(() => undefined);
      return;
    }
    onPiece();
    if (!target.write(step.value)) await drained(target);
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
