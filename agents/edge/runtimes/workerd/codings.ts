import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import type { BytePair, ContentCoding } from "../../platform.ts";

const join = (pieces: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
};

/** This runtime has no streaming brotli, so that the whole body is turned at its end. */
const atOnce = (turn: (bytes: Uint8Array) => Uint8Array): BytePair => {
  const pieces: Uint8Array[] = [];
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece) => void pieces.push(piece),
    flush: (controller) => controller.enqueue(new Uint8Array(turn(join(pieces)))),
  });
};

const asPair = (stream: unknown): BytePair => stream as BytePair;

export const encode = (coding: ContentCoding): BytePair =>
  coding === "br" ? atOnce(brotliCompressSync) : asPair(new CompressionStream(coding));

export const decode = (coding: ContentCoding): BytePair =>
  coding === "br" ? atOnce(brotliDecompressSync) : asPair(new DecompressionStream(coding));
