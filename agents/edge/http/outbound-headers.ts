/** Headers that belong to one connection and never travel further (RFC 9110, section 7.6.1). */
const hopByHop = [
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
];

/** Names in `connection` are hop-by-hop too, but a client must not name away what others lean on, or what we set. */
const kept = ["host", "content-length", "cookie", "authorization", "cache-control", "x-forwarded-for"];

export const dropHopByHop = (headers: Headers): void => {
  const listed = headers.get("connection");
  if (listed !== null) {
    for (const item of listed.split(",")) {
      const name = item.trim().toLowerCase();
      if (/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && !kept.includes(name)) headers.delete(name);
    }
  }
  for (const name of hopByHop) headers.delete(name);
};

const codings = ["gzip", "deflate", "br"];

/**
 * The part of a client's `accept-encoding` that we can decode, in the client's order; `identity` when nothing is left,
 * and `null` when the client sent none. Codings that the client ruled out with `q=0` stay out.
 */
export const reduceAcceptEncoding = (header: string | null): string | null => {
  if (header === null) return null;
  const wanted: string[] = [];
  let everything = false;
  for (const item of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    if (parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter))) continue;
    if (name === "*") everything = true;
    if (codings.includes(name) && !wanted.includes(name)) wanted.push(name);
  }
  if (wanted.length > 0) return wanted.join(", ");
  return everything ? codings.join(", ") : "identity";
};
