import { parse } from "cookie";
import type { EdgeTraits } from "../platform.ts";

const latin1Bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

/**
 * The `cookie` header as text, or `null` when its bytes are no UTF-8. Runtimes show those bytes either as Latin-1 or
 * already decoded with U+FFFD for what was broken.
 */
const cookieText = (header: string, traits: EdgeTraits): string | null => {
  // oxlint-disable-next-line no-control-regex -- the whole ASCII range is what is tested.
  if (/^[\x00-\x7f]*$/.test(header)) return header;
  if (traits.headerText === "utf8") return header.includes("\ufffd") ? null : header;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(latin1Bytes(header));
  } catch {
    return null;
  }
};

const empty: ReadonlyMap<string, string> = new Map();

export const readCookies = (headers: Headers, traits: EdgeTraits): ReadonlyMap<string, string> | null => {
  const header = headers.get("cookie");
  if (header === null) return empty;
  const text = cookieText(header, traits);
  if (text === null) return null;
  const cookies = new Map<string, string>();
  for (const [name, value] of Object.entries(parse(text))) if (value !== undefined) cookies.set(name, value);
  return cookies;
};

/**
 * Takes out the cookies of the agents' consoles: a browser sends them to every port of their host, and neither the
 * publisher's origin nor a bidder may have a session.
 */
export const dropConsoleCookies = (headers: Headers): void => {
  const header = headers.get("cookie") ?? "";
  if (!header.includes("parley-")) return;
  const kept = header.split(/;\s*|,\s*(?=parley-)/).filter((pair) => !pair.trim().startsWith("parley-"));
  if (kept.length === 0) headers.delete("cookie");
  else headers.set("cookie", kept.join("; "));
};
