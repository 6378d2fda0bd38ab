import { createHash } from "node:crypto";
import type { DoorAnswer, DoorRoute } from "../../door/door.ts";

/** Sent with an ETag. Kept as bytes: a text would be encoded for every request. */
export const fixedPage = (path: string, type: string, body: () => string | Uint8Array, policy?: string): DoorRoute => {
  let made: { readonly bytes: Buffer; readonly etag: string } | null = null;
  return {
    method: "GET",
    path,
    handle: async (): Promise<DoorAnswer> => {
      if (made === null) {
        const bytes = Buffer.from(body());
        made = { bytes, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"` };
      }
      const headers = {
        ETag: made.etag,
        "Cache-Control": "no-cache",
        ...(policy === undefined ? {} : { "Content-Security-Policy": policy }),
      };
      return { status: 200, headers: { ...headers, "Content-Type": type }, body: made.bytes };
    },
  };
};
