import { Duplex } from "node:stream";
import zlib from "node:zlib";
import type { BytePair, ContentCoding } from "../platform.ts";

/** Node's transforms are duplex streams of buffers, which are bytes. */
const asPair = (transform: Duplex): BytePair => Duplex.toWeb(transform) as unknown as BytePair;

/** Flushing after each piece keeps a page streaming; level 4 and quality 4 cost little beside the page itself. */
const ENCODERS: Readonly<Record<ContentCoding, () => Duplex>> = {
  gzip: () => zlib.createGzip({ level: 4, flush: zlib.constants.Z_SYNC_FLUSH }),
  deflate: () => zlib.createDeflate({ level: 4, flush: zlib.constants.Z_SYNC_FLUSH }),
  br: () =>
    zlib.createBrotliCompress({
      flush: zlib.constants.BROTLI_OPERATION_FLUSH,
      params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 },
    }),
};

/** A wrong or cut-off stream makes the readable end fail, which the core answers as a broken upstream. */
const DECODERS: Readonly<Record<ContentCoding, () => Duplex>> = {
  gzip: () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
};

export const encode = (coding: ContentCoding): BytePair => asPair(ENCODERS[coding]());

export const decode = (coding: ContentCoding): BytePair => asPair(DECODERS[coding]());
