import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { DoorRoute } from "../../door/door.ts";
import { escapeHtml } from "../../neutral/escape-html.ts";
import { fixedPage } from "./fixed-page.ts";

const packageFile = (name: string): Buffer =>
  readFileSync(createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`));

/** Swagger UI sets styles from its script and shows icons as data URLs. */
const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const html = (title: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/favicon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="swagger-ui"></div>
<noscript>This page needs scripts. <a href="/redoc">The reading page</a> does not.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/init.js"></script>
</body>
</html>
`;

const initScript = `window.ui = SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayOperationId: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  oauth2RedirectUrl: new URL("/docs/oauth2-redirect", window.location.href).href,
});
`;

const script = "text/javascript; charset=utf-8";
const page = "text/html; charset=utf-8";

/** Loads from this server alone, so it works offline. */
export const docsPages = (title: string): readonly DoorRoute[] => [
  fixedPage("/docs", page, () => html(title), docsPolicy),
  fixedPage("/docs/init.js", script, () => initScript),
  fixedPage("/docs/swagger-ui-bundle.js", script, () => packageFile("swagger-ui-bundle.js")),
  fixedPage("/docs/swagger-ui.css", "text/css; charset=utf-8", () => packageFile("swagger-ui.css")),
  fixedPage("/docs/favicon.png", "image/png", () => packageFile("favicon-32x32.png")),
  fixedPage("/docs/oauth2-redirect", page, () => packageFile("oauth2-redirect.html"), docsPolicy),
  fixedPage("/docs/oauth2-redirect.js", script, () => packageFile("oauth2-redirect.js")),
];
