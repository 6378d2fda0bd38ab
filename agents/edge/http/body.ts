import { isNestedDeeper } from "../../../protocol/neutral/json-input.ts";
import type { ByteStream, EdgeRequest } from "../platform.ts";

export type BodyResult =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly fault: "too_large" | "broken" };

const join = (pieces: readonly Uint8Array[], length: number): Uint8Array => {
  const first = pieces[0];
  if (pieces.length === 1 && first !== undefined) return first;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
};

const announcedLength = (headers: Headers | undefined): number | null => {
  const text = headers?.get("content-length") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
};

/**
 * Reads a body of at most `most` bytes. A longer one is cancelled at once, so that nobody fills our memory; with
 * `headers` an announced longer one is not read at all, and one that takes longer than `limitMs` counts as broken.
 */
export const readBody = async (
  body: ByteStream | null,
  most: number,
  headers?: Headers,
  limitMs?: number,
): Promise<BodyResult> => {
  if (body === null) return { ok: true, bytes: new Uint8Array(0) };
  if ((announcedLength(headers) ?? 0) > most) {
    await body.cancel().catch(() => undefined);
    return { ok: false, fault: "too_large" };
  }
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isLate = false;
  const end = (): void => {
    isLate = true;
    reader.cancel().catch(() => undefined);
  };
  const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  try {
    for (;;) {
      const step = await reader.read();
      if (isLate) return { ok: false, fault: "broken" };
      if (step.done) return { ok: true, bytes: join(pieces, length) };
      length += step.value.length;
      if (length > most) {
        reader.cancel().catch(() => undefined);
        return { ok: false, fault: "too_large" };
      }
      pieces.push(step.value);
    }
  } catch {
    return { ok: false, fault: "broken" };
  } finally {
    clearTimeout(timer);
  }
};

/** Longest wait for a request body that a handler reads whole, in ms: who holds one back holds a place of ours. */
const requestBodyMs = 30_000;

export const readRequestBody = (request: Pick<EdgeRequest, "body" | "headers">, most: number): Promise<BodyResult> =>
  readBody(request.body, most, request.headers, requestBodyMs);

const deepestJson = 64;

/** Parses strict UTF-8 JSON; `undefined` for anything else (JSON itself cannot say `undefined`). */
export const parseJson = (bytes: Uint8Array): unknown => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return isNestedDeeper(text, deepestJson) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};
