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

/** The two ways to a route: a look-up of whole paths, and routers for those with parameters. */
export interface RouteTable {
  /** The handler of a path without parameters; undefined where there is none. */
  direct(method: string, path: string): Handle | undefined;
  /** Tries the routes of the path's own collection, then all; sets `ctx.routeMatched` and `ctx.matched`. */
  dispatch(ctx: HttpContext, path: string): Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

const dispatcherOf = (mounted: readonly Mounted[]): Dispatch => {
  const router = new Router({ sensitive: true });
  for (const { method, path, handle } of mounted) router.register(path, [method], (ctx) => handle(ctx as HttpContext));
  return router.routes() as unknown as Dispatch;
};

/** The literal beginning of a path with parameters, up to and with its last slash: `/orders/` of `/orders/:order_id`. */
const collectionOf = (path: string): string => path.slice(0, path.slice(0, path.search(/[:*{(]/)).lastIndexOf("/") + 1);

/**
 * A router tries every pattern it has, which is slow for sixty. So there is a router for each collection, with the
 * routes that begin as its path does, and one with all of them for what no collection has answered.
 */
const collectionsOf = (mounted: readonly Mounted[]): ReadonlyMap<string, Dispatch> => {
  const groups = new Map<string, Mounted[]>();
  for (const route of mounted.filter(({ path }) => !isStatic(path))) {
    const collection = collectionOf(route.path);
    groups.set(collection, [...(groups.get(collection) ?? []), route]);
  }
  groups.delete("/");
  return new Map([...groups].map(([collection, routes]) => [collection, dispatcherOf(routes)]));
};

const directOf = (mounted: readonly Mounted[]): ReadonlyMap<string, Handle> => {
  const direct = new Map<string, Handle>();
  for (const { method, path, handle } of mounted) {
    if (!isStatic(path)) continue;
    direct.set(`${method} ${path}`, handle);
    if (method === "GET" && !direct.has(`HEAD ${path}`)) direct.set(`HEAD ${path}`, handle);
  }
  return direct;
};

/** Builds the table once, at the start. Throws where two routes are mounted at one place. */
export const createRouteTable = (routes: readonly Mounted[]): RouteTable => {
  const mounted = [...routes].sort((left, right) => bySpecificity(left.path, right.path));
  const seen = new Set<string>();
  for (const { method, path } of mounted) {
    const name = `${method} ${path}`;
    if (seen.has(name)) throw new Error(`two routes are mounted at ${name}`);
    seen.add(name);
  }
  const direct = directOf(mounted);
  const collections = collectionsOf(mounted);
  const all = dispatcherOf(mounted);
  return {
    direct: (method, path) => direct.get(`${method} ${path}`),
    dispatch: async (ctx, path) => {
      for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
        const collection = collections.get(path.slice(0, end + 1));
        if (collection === undefined) continue;
        await collection(ctx, nothing);
        break;
      }
      if ((ctx as { routeMatched?: boolean }).routeMatched === true) return;
      (ctx as { matched?: unknown }).matched = undefined;
      await all(ctx, nothing);
    },
  };
};
