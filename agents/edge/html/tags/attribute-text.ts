import { decodeHTMLAttribute } from "entities/decode";

/** The value that a browser reads: character references resolved (HTML standard, 13.2.5.36 to 13.2.5.38). */
export const decodeAttribute = (raw: string): string => (raw.includes("&") ? decodeHTMLAttribute(raw) : raw);

export const encodeAttribute = (value: string): string =>
  value.includes("&") || value.includes('"') ? value.replaceAll("&", "&amp;").replaceAll('"', "&quot;") : value;

export const encodeText = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
