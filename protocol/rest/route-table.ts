import Router from "@koa/router";
import type { HttpContext } from "./answer.ts";
import { bySpecificity, isStatic } from "./route-order.ts";

/** What answers a request at a place. */
export type Handle = (ctx: HttpContext) => Promise<void>;

export interface Mounted {
  readonly method: string;
  readonly path: string;
  readonly handle: Handle;
}

type Dispatch = (ctx: HttpContext, next: () => Promise<void>) => Promise<void>;

/** How a request finds its route: a look-up for the common forms of a path, a router of patterns for all. */
export interface RouteTable {
  /** The handler of a path without parameters, or of a record in a collection; undefined where the router must look. */
  direct(ctx: HttpContext, path: string): Handle | undefined;
  /** Tries every pattern on the path; sets `ctx.routeMatched` and `ctx.matched`. */
  dispatch(ctx: HttpContext, path: string): Promise<void>;
}

interface RecordRoute {
  readonly name: string;
  readonly handle: Handle;
}

const nothing = async (): Promise<void> => undefined;

const dispatcherOf = (mounted: readonly Mounted[]): Dispatch => {
  const router = new Router({ sensitive: true });
  for (const { method, path, handle } of mounted) router.register(path, [method], (ctx) => handle(ctx as HttpContext));
  return router.routes() as unknown as Dispatch;
};

/** Enters a route under its place, and a GET route under HEAD too. */
const enter = <T>(table: Map<string, T>, method: string, place: string, route: T): void => {
  table.set(`${method} ${place}`, route);
  if (method === "GET" && !table.has(`HEAD ${place}`)) table.set(`HEAD ${place}`, route);
};

const recordForm = /^(\/(?:[^:*{}()]*\/)?):([A-Za-z_]\w*)$/;

/**
 * Builds the table once, at the start. The router tries one pattern after the other, which costs as much as all else
 * for a read by id; so `/quotes/:quote_id` and its like are found by the part before the last slash. Throws where two
 * routes are mounted at one place.
 */
export const createRouteTable = (routes: readonly Mounted[]): RouteTable => {
  const mounted = [...routes].sort((left, right) => bySpecificity(left.path, right.path));
  const seen = new Set<string>();
  const whole = new Map<string, Handle>();
  const records = new Map<string, RecordRoute>();
  for (const { method, path, handle } of mounted) {
    const place = `${method} ${path}`;
    if (seen.has(place)) throw new Error(`two routes are mounted at ${place}`);
    seen.add(place);
    const [, collection, name] = recordForm.exec(path) ?? [];
    if (isStatic(path)) enter(whole, method, path, handle);
    else if (collection !== undefined && name !== undefined) enter(records, method, collection, { name, handle });
  }
  const router = dispatcherOf(mounted);
  return {
    direct: (ctx, path) => {
      const found = whole.get(`${ctx.method} ${path}`);
      if (found !== undefined) return found;
      const end = path.lastIndexOf("/") + 1;
      const record = end === path.length ? undefined : records.get(`${ctx.method} ${path.slice(0, end)}`);
      if (record === undefined) return undefined;
      const text = path.slice(end);
      (ctx as { params?: Record<string, string> }).params = {
        [record.name]: text.includes("%") ? decodeURIComponent(text) : text,
      };
      return record.handle;
    },
    dispatch: (ctx, path) => {
      // Koa would find the path by a parser that throws on what looks like a host and is none.
      Object.defineProperty(ctx, "path", { value: path });
      return router(ctx, nothing);
    },
  };
};
