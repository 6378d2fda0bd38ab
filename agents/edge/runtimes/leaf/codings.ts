import type { Duplex } from "node:stream";
import zlib from "node:zlib";
import { webStream } from "../../http/byte-stream.ts";
import type { BytePair, ContentCoding } from "../../platform.ts";
import { NodeBytes } from "./streams.ts";

const settled =
  (resolve: () => void, reject: (error: Error) => void) =>
  (error?: Error | null): void => {
    if (error === undefined || error === null) resolve();
    else reject(error);
  };

/**
 * A node transform as a pair of web streams. Not through the platform's own adapter: on one runtime that throws past
 * everybody, and ends the process, when a reader stops in the middle of a body.
 */
const asPair = (transform: Duplex): BytePair => {
  // Whoever reads or writes gets the error; without a listener it would end the process.
  transform.on("error", () => undefined);
  const writable = new WritableStream<Uint8Array>({
    write: (piece) => new Promise((resolve, reject) => void transform.write(piece, settled(resolve, reject))),
    close: () => void transform.end(),
    abort: () => void transform.destroy(),
  });
  return { readable: webStream(new NodeBytes(transform)), writable };
};

/** Flushing after each piece keeps a page streaming; level 4 and quality 4 cost little beside the page itself. */
const encoders: Readonly<Record<ContentCoding, () => Duplex>> = {
  gzip: () => zlib.createGzip({ level: 4, flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createDeflate({ level: 4, flush: zlib.constants.Z_SYNC_FLUSH }),
  br: () =>
    zlib.createBrotliCompress({
      flush: zlib.constants.BROTLI_OPERATION_FLUSH,
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 },
    }),
};

const decoders: Readonly<Record<ContentCoding, () => Duplex>> = {
  gzip: () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
};

export const encode = (coding: ContentCoding): BytePair => asPair(encoders[coding]());

export const decode = (coding: ContentCoding): BytePair => asPair(decoders[coding]());
