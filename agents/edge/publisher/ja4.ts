import type { EdgeHandler } from "../context.ts";

const valueColumn = 13;

const line = (label: string, value: string): string => `${`${label}:`.padEnd(valueColumn)}${value}\n`;

/**
 * `GET /_ts/debug/ja4`: what the edge sees of the client's TLS hello and client hints. A plain
 * socket shows neither: the trusted proxy may pass two of the lines, and nobody the cipher and the version.
 */
export const handleJa4: EdgeHandler = async (request, context) => {
  if (!context.config.debug.ja4_endpoint_enabled) return new Response(null, { status: 404 });
  const text = [
    line("ja4", context.ja4 ?? "unavailable"),
    line("h2_fp", context.h2 ?? "unavailable"),
    line("cipher", "unavailable"),
    line("tls_version", "unavailable"),
    line("user-agent", request.headers.get("user-agent") ?? "none"),
    line("ch-mobile", request.headers.get("sec-ch-ua-mobile") ?? "not sent"),
    line("ch-platform", request.headers.get("sec-ch-ua-platform") ?? "not sent"),
  ].join("");
  return new Response(text, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store, private",
      vary: "User-Agent, Sec-CH-UA-Mobile, Sec-CH-UA-Platform",
    },
  });
};
