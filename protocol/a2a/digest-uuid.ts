import { hash } from "node:crypto";

/** A UUID of version 8 (RFC 9562, 5.8) that is the same for equal values. */
export const digestUuid = (value: unknown): string =>
  hash("sha256", JSON.stringify(value))
    .slice(0, 32)
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5");
