import Router from "@koa/router";
import { refuse } from "../../neutral/refusals.ts";
import { sendRefusal } from "../answer.ts";
import type { ErrorShape } from "../errors.ts";
import type { HttpContext, HttpMiddleware } from "../exchange.ts";
import { preflightHeaders } from "../headers.ts";
import type { HttpDoor } from "../../seam/watch.ts";
import { bySpecificity, shapeOf } from "./route-order.ts";

export type Handle = (ctx: HttpContext) => Promise<void>;

export interface Mounted {
  readonly method: string;
  readonly path: string;
  readonly door: HttpDoor;
  /** A probe: its requests have no line in the log at info. */
  readonly isQuiet?: boolean;
  readonly handle: Handle;
}

interface Layer {
  readonly path: string;
  readonly methods: readonly string[];
}

const layersOf = (ctx: HttpContext): readonly Layer[] => (ctx as { matched?: readonly Layer[] }).matched ?? [];

/**
 * OpenAPI resolves concrete before templated paths, whatever the method: `GET products/search` is 405, not the product
 * `search`.
 */
const fittingLayers = (ctx: HttpContext): readonly Layer[] => {
  const [first, ...others] = layersOf(ctx);
  if (first === undefined) return [];
  const shape = shapeOf(first.path);
  return [first, ...others.filter(({ path }) => shapeOf(path) === shape)];
};

/** A router tries its routes one by one, each a regular expression: each area of paths has a router of its own. */
const areaOf = (path: string): string => /^\/(?:api\/v1\/)?[^/]*/.exec(path)?.[0] ?? "";

/** Throws where two routes collide. */
export const createRouter = (routes: readonly Mounted[]): HttpMiddleware => {
  const routers = new Map<string, Router>();
  const seen = new Set<string>();
  for (const mounted of [...routes].sort((left, right) => bySpecificity(left.path, right.path))) {
    const { method, path, handle } = mounted;
    const shape = shapeOf(path);
    const place = `${method} ${shape}`;
    if (seen.has(place)) throw new Error(`two routes are mounted at ${method} ${path}`);
    seen.add(place);
    const area = areaOf(path);
    if (/[:*{}()]/.test(area)) throw new Error(`the route ${method} ${path} begins with a parameter`);
    const router = routers.get(area) ?? new Router({ sensitive: true });
    routers.set(area, router);
    router.register(path, [method], (routed, next) => {
      const ctx = routed as unknown as HttpContext;
      if (shapeOf(String(layersOf(ctx)[0]?.path)) !== shape) return next();
      ctx.state.route = mounted;
      return handle(ctx);
    });
  }
  const areas = new Map(
    [...routers].map(([area, router]) => [area, router.routes() as unknown as HttpMiddleware] as const),
  );
  return async (ctx, next) => {
    const routed = areas.get(areaOf(ctx.path));
    return routed === undefined ? next() : routed(ctx, next);
  };
};

export interface UnroutedParts {
  readonly errorShape: ErrorShape;
  readonly cors: boolean;
  /** Throws `Refused` over the rate limit. */
  readonly count: Handle;
}

export const answerUnrouted =
  ({ errorShape, cors, count }: UnroutedParts): Handle =>
  async (ctx) => {
    const methods = new Set(fittingLayers(ctx).flatMap((layer) => layer.methods));
    if (ctx.method !== "OPTIONS") await count(ctx);
    if (methods.size === 0) {
      if (ctx.method === "OPTIONS") await count(ctx);
      const message = "There is nothing at this path. /openapi.json lists what there is.";
      return sendRefusal(ctx, errorShape, 404, refuse("not_found", { message }));
    }
    ctx.set("Allow", [...methods, "OPTIONS"].sort().join(", "));
    if (ctx.method !== "OPTIONS") return sendRefusal(ctx, errorShape, 405, refuse("method_not_allowed"));
    if (cors && ctx.req.headers["access-control-request-method"] !== undefined) {
      ctx.set(preflightHeaders(ctx.req.headers));
    }
    ctx.status = 204;
    return undefined;
  };
