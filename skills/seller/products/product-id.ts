import { createHash } from "node:crypto";

/** The URL namespace of RFC 9562, 6.6. */
const urlNamespace = Buffer.from("6ba7b8119dad11d180b400c04fd430c8", "hex");

/** UUID version 5 (RFC 9562, 5.5). */
const uuidV5 = (name: string): string => {
  const bytes = createHash("sha1").update(urlNamespace).update(name, "utf8").digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

/** From the name alone, so that it is stable over restarts. */
export const productIdOf = (name: string): string => `prod-${uuidV5(`ad-seller-product:${name}`).slice(0, 8)}`;
