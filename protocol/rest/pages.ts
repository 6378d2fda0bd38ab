import type { DoorResponse, DoorRoute } from "../door.ts";
import { type Described, openApi } from "../openapi.ts";
import { docsPages } from "./docs-pages.ts";
import { fixedPage } from "./fixed-page.ts";
import { readingPage } from "./reading-page.ts";

/** What the pages tell of an agent. `isReady` is false while the server stops. */
export interface PageParts extends Described {
  readonly name: "seller" | "buyer";
  readonly isReady: () => boolean;
}

const jsonPage = (path: string, answer: () => readonly [status: number, body: unknown]): DoorRoute => ({
  method: "GET",
  path,
  handle: async (): Promise<DoorResponse> => {
    const [status, body] = answer();
    const headers: Record<string, string> = { "Content-Type": "application/json; charset=utf-8" };
    if (status === 503) headers["Retry-After"] = "1";
    return { status, headers, body: JSON.stringify(body) };
  },
});

const readingPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * The pages of the REST wire: health, readiness, the root, the OpenAPI document and two readers of it. The buyer has
 * no root page, because its public list is closed (buyer spec, Authentication).
 */
export const restPages = (parts: PageParts): readonly DoorRoute[] => {
  const health = parts.name === "seller" ? { status: "healthy" } : { status: "healthy", version: parts.version };
  const document = openApi(parts);
  const root = { name: parts.title, version: parts.version, docs: "/docs" };
  return [
    jsonPage("/health", () => [200, health]),
    jsonPage("/healthz", () => [200, { status: "healthy" }]),
    jsonPage("/readyz", () => (parts.isReady() ? [200, { status: "ready" }] : [503, { status: "stopping" }])),
    ...(parts.name === "seller" ? [jsonPage("/", () => [200, root])] : []),
    fixedPage("/openapi.json", "application/json; charset=utf-8", () => JSON.stringify(document)),
    fixedPage("/redoc", "text/html; charset=utf-8", () => readingPage(document), readingPolicy),
    ...docsPages(parts.title),
  ];
};
