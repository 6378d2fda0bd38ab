import type { ByteReader, ByteStep, ByteStream } from "../platform.ts";

const end: ByteStep = { done: true };

const nothing = (): void => undefined;

/**
 * A body whose pieces are made when they are asked for. `pull` resolves to the next piece or, at the end, to `null`; it
 * rejects when the body broke. `stop` runs when nobody wants the rest. A class, one object a body: what a stream of the
 * platform sets up costs more than the reading.
 */
export class PulledBytes implements ByteStream, ByteReader {
  readonly #pull: () => Promise<Uint8Array | null>;
  readonly #stop: () => void;
  #isLocked = false;
  #isOver = false;
  #endRead = nothing;

  constructor(pull: () => Promise<Uint8Array | null>, stop: () => void) {
    this.#pull = pull;
    this.#stop = stop;
  }

  get locked(): boolean {
    return this.#isLocked;
  }

  getReader(): ByteReader {
    this.#isLocked = true;
    return this;
  }

  read(): Promise<ByteStep> {
    if (this.#isOver) return Promise.resolve(end);
    return new Promise((resolve, reject) => {
      this.#endRead = () => resolve(end);
      this.#pull().then((value) => {
        if (value === null) this.#isOver = true;
        resolve(value === null ? end : { done: false, value });
      }, reject);
    });
  }

  async cancel(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#endRead();
    this.#stop();
  }
}

export const webStream = (body: ByteStream): ReadableStream<Uint8Array> => {
  if (body instanceof ReadableStream) return body as ReadableStream<Uint8Array>;
  const reader = body.getReader();
  // Not a byte stream: that would take the buffer of each piece away, and a parser's pieces share one.
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await reader.read();
        if (step.done) controller.close();
        else controller.enqueue(step.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
};
