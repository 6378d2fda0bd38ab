import type { EdgeConfig } from "../config.ts";
import type { EdgeHandler } from "../context.ts";
import type { EdgeTraits } from "../platform.ts";
import type { RouteRow } from "./routes.ts";

export interface Route {
  readonly handler: EdgeHandler;
  readonly skipsIdentity: boolean;
}

export type Router = (method: string, path: string) => Route | null;

const segment = "{id}";

const handlerOf = (row: RouteRow, traits: EdgeTraits): EdgeHandler | null => {
  const disposition = row[traits.adapter];
  if (disposition === "absent") return null;
  return (disposition === "real" ? row.serve : row.decline) ?? null;
};

export const createRouter = (rows: readonly RouteRow[], config: EdgeConfig, traits: EdgeTraits): Router => {
  const exact = new Map<string, Route>();
  const withSegment = new Map<string, Route>();
  for (const row of rows) {
    const handler = handlerOf(row, traits);
    if (handler === null) continue;
    const route: Route = { handler, skipsIdentity: row.skipsIdentity === true };
    const paths = typeof row.paths === "function" ? row.paths(config) : row.paths;
    for (const path of paths) {
      for (const method of row.methods) {
        if (path.endsWith(segment)) withSegment.set(`${method} ${path.slice(0, -segment.length)}`, route);
        else exact.set(`${method} ${path}`, route);
      }
    }
  }
  return (method, path) => {
    const found = exact.get(`${method} ${path}`);
    if (found !== undefined) return found;
    const slash = path.lastIndexOf("/") + 1;
    return slash === path.length ? null : (withSegment.get(`${method} ${path.slice(0, slash)}`) ?? null);
  };
};
