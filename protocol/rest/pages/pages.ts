import { z } from "zod";
import type { DoorResponse, DoorRoute, RouteDescription } from "../../door/door.ts";
import type { OpenApiDocument } from "../../openapi/document.ts";
import { type Described, openApi } from "../../openapi/openapi.ts";
import { docsPages } from "./docs-pages.ts";
import { fixedPage } from "./fixed-page.ts";
import { guidePages } from "./guide-pages.ts";
import { readingPage } from "./reading-page.ts";

/** Not while stopping, nor while the store takes no commits. */
export type Readiness = "ready" | "stopping" | "unavailable";

export interface PageParts extends Described {
  readonly name: "seller" | "buyer";
  readonly readiness: () => Promise<Readiness>;
}

const jsonHeaders = { "Content-Type": "application/json; charset=utf-8" };

type Page = Pick<DoorRoute, "path" | "uncounted"> & { readonly description: RouteDescription };

const jsonPage = (page: Page, value: unknown): DoorRoute => {
  const answer: DoorResponse = { status: 200, headers: jsonHeaders, body: JSON.stringify(value) };
  return { ...page, method: "GET", handle: async () => answer };
};

/** The process answers, so the status is 200; the body names a broken store. */
const healthPage = ({ name, version, readiness }: PageParts): DoorRoute => ({
  method: "GET",
  path: "/health",
  uncounted: true,
  description: described.health,
  handle: async () => {
    const status = (await readiness()) === "unavailable" ? "degraded" : "healthy";
    const body = JSON.stringify(name === "seller" ? { status } : { status, version });
    return { status: 200, headers: jsonHeaders, body };
  },
});

const readinessPage = (readiness: PageParts["readiness"]): DoorRoute => ({
  method: "GET",
  path: "/readyz",
  uncounted: true,
  description: described.readiness,
  handle: async () => {
    const status = await readiness();
    const body = JSON.stringify({ status });
    if (status === "ready") return { status: 200, headers: jsonHeaders, body };
    return { status: 503, headers: { ...jsonHeaders, "Retry-After": "1" }, body };
  },
});

const jsonBody = (schema: z.ZodType) => ({ body: { type: "application/json", schema } });

const page = (
  name: string,
  summary: string,
  body: z.ZodType,
  more: RouteDescription["answers"] = {},
): RouteDescription => ({
  name,
  group: "service",
  summary,
  access: "public",
  answers: { 200: { meaning: "Done.", ...jsonBody(body) }, ...more },
});

const statusBody = z.looseObject({ status: z.string() });
const notReady = {
  503: {
    meaning: "The server stops, or its store takes no commits.",
    headers: ["Retry-After"],
    ...jsonBody(statusBody),
  },
};

const described = {
  root: page(
    "get_root",
    "Names the service, its version and its documentation.",
    z.looseObject({ name: z.string(), version: z.string(), docs: z.string(), guide: z.string() }),
  ),
  health: page("get_health", "Tells that the process answers, and whether its store can be written.", statusBody),
  liveness: page("get_liveness", "Tells that the process lives.", statusBody),
  readiness: page("get_readiness", "Tells whether the agent can do its work.", statusBody, notReady),
} as const;

const readingPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** The buyer has no root: its public list is closed (buyer spec, Authentication). */
const servicePages = (parts: PageParts): readonly DoorRoute[] => {
  const root = { name: parts.title, version: parts.version, docs: "/docs", guide: "/guide/" };
  return [
    healthPage(parts),
    jsonPage({ path: "/healthz", uncounted: true, description: described.liveness }, { status: "healthy" }),
    readinessPage(parts.readiness),
    ...(parts.name === "seller" ? [jsonPage({ path: "/", description: described.root }, root)] : []),
  ];
};

export const apiDocument = (parts: PageParts): OpenApiDocument =>
  openApi({ ...parts, routes: [...servicePages(parts), ...(parts.routes ?? [])] });

export const restPages = (parts: PageParts): readonly DoorRoute[] => {
  let made: OpenApiDocument | null = null;
  // Lazy: the server starts sooner and holds no unused document.
  const document = (): OpenApiDocument => (made ??= apiDocument(parts));
  return [
    ...servicePages(parts),
    fixedPage("/openapi.json", "application/json; charset=utf-8", () => JSON.stringify(document())),
    fixedPage("/redoc", "text/html; charset=utf-8", () => readingPage(document()), readingPolicy),
    ...docsPages(parts.title),
    ...guidePages(parts.name),
  ];
};
