import type { IncomingMessage } from "node:http";

const mostBytes = 16_777_216;
const mostMs = 2_000;

/**
 * Reads and drops what is left of a request's body. A connection that is closed over unread bytes is reset, and the
 * reset takes the answer with it before the client has read it (RFC 9112, section 9.6). Bounded: who sends on for ever
 * loses the connection.
 */
export const dropRestOfBody = (incoming: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    if (incoming.complete || incoming.destroyed) return resolve();
    let left = mostBytes;
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const cut = (): void => void incoming.destroy();
    const timer = setTimeout(cut, mostMs);
    incoming.on("error", () => undefined);
    incoming.on("data", (piece: Buffer) => {
      left -= piece.length;
      if (left < 0) cut();
    });
    incoming.once("end", done);
    incoming.once("close", done);
    incoming.resume();
  });
