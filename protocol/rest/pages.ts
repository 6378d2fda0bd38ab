import type { DoorResponse, DoorRoute } from "../door.ts";
import { type Described, openApi, type OpenApiDocument } from "../openapi.ts";
import { docsPages } from "./docs-pages.ts";
import { fixedPage } from "./fixed-page.ts";
import { readingPage } from "./reading-page.ts";

/** Whether the agent can do its work: not while its server stops, nor while its store takes no commits. */
export type Readiness = "ready" | "stopping" | "unavailable";

/** What the pages tell of an agent. */
export interface PageParts extends Described {
  readonly name: "seller" | "buyer";
  readonly readiness: () => Promise<Readiness>;
}

const jsonHeaders = { "Content-Type": "application/json; charset=utf-8" };

const jsonPage = (path: string, value: unknown): DoorRoute => {
  const answer: DoorResponse = { status: 200, headers: jsonHeaders, body: JSON.stringify(value) };
  return { method: "GET", path, handle: async () => answer };
};

const readinessPage = (readiness: PageParts["readiness"]): DoorRoute => ({
  method: "GET",
  path: "/readyz",
  handle: async () => {
    const status = await readiness();
    const body = JSON.stringify({ status });
    if (status === "ready") return { status: 200, headers: jsonHeaders, body };
    return { status: 503, headers: { ...jsonHeaders, "Retry-After": "1" }, body };
  },
});

const readingPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/**
 * The pages of the REST wire: health, readiness, the root, the OpenAPI document and two readers of it. The buyer has
 * no root page, because its public list is closed (buyer spec, Authentication).
 */
export const restPages = (parts: PageParts): readonly DoorRoute[] => {
  const health = parts.name === "seller" ? { status: "healthy" } : { status: "healthy", version: parts.version };
  let made: OpenApiDocument | null = null;
  // Made when it is first asked for: a server that nobody asks starts sooner and holds no document.
  const document = (): OpenApiDocument => (made ??= openApi(parts));
  const root = { name: parts.title, version: parts.version, docs: "/docs" };
  return [
    jsonPage("/health", health),
    jsonPage("/healthz", { status: "healthy" }),
    readinessPage(parts.readiness),
    ...(parts.name === "seller" ? [jsonPage("/", root)] : []),
    fixedPage("/openapi.json", "application/json; charset=utf-8", () => JSON.stringify(document())),
    fixedPage("/redoc", "text/html; charset=utf-8", () => readingPage(document()), readingPolicy),
    ...docsPages(parts.title),
  ];
};
