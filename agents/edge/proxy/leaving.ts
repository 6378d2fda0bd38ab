import { escapeHtml } from "../../../protocol/neutral/escape-html.ts";

const style =
  "body{max-width:36rem;margin:10vh auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color-scheme:light dark}" +
  "code{overflow-wrap:anywhere}";

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store, private",
  // The visitor must see this page itself, and its link alone may lead on.
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex",
};

/** Says where an address leads, instead of leading there: the visitor decides. It goes out without the identity. */
export const leavingPage = (target: URL, site: string): Response => {
  const [host, address, from] = [target.host, target.href, site].map(escapeHtml);
  return new Response(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Leaving ${from}</title>` +
      `<meta name="viewport" content="width=device-width"><style>${style}</style></head>` +
      `<body><h1>You are leaving ${from}</h1><p>This link leads to <strong>${host}</strong>, a site that no ` +
      `ad of ${from} has led to before. Its full address:</p><p><code>${address}</code></p>` +
      `<p><a href="${address}" rel="noreferrer noopener nofollow">Go on to ${host}</a></p></body></html>`,
    { headers: headers },
  );
};
