import { routerError } from "../../http/refusals.ts";

export interface AppContext {
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface AppRoute {
  readonly method: string;
  readonly path: string;
  readonly handle: (request: Request, context: AppContext) => Response | Promise<Response>;
}

export interface Application {
  readonly name: string;
  readonly routes: readonly AppRoute[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
}

interface Match {
  readonly route: AppRoute;
  readonly params: Record<string, string>;
}

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const fit = (pattern: string, path: string): Record<string, string> | null => {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const rest = /^\{\*(\w+)\}$/.exec(part)?.[1];
    if (rest !== undefined) {
      params[rest] = given.slice(index).map(decoded).join("/");
      return params;
    }
    const segment = given[index];
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (segment === undefined || (name === undefined ? segment !== part : segment === "")) return null;
    if (name !== undefined) params[name] = decoded(segment);
  }
  return wanted.length === given.length ? params : null;
};

const looseness = (path: string): number =>
  (path.match(/\{\w/g)?.length ?? 0) + 100 * (path.match(/\{\*/g)?.length ?? 0);

const matchesOf = (routes: readonly AppRoute[], path: string): Match[] =>
  routes
    .flatMap((route) => {
      const params = fit(route.path, path);
      return params === null ? [] : [{ route, params }];
    })
    .toSorted((a, b) => looseness(a.route.path) - looseness(b.route.path));

const isMethod = (route: AppRoute, method: string): boolean =>
  route.method === method || (method === "HEAD" && route.method === "GET");

const introspection = (application: Application): AppRoute[] => {
  const { name, routes, config } = application;
  const list = routes.map(({ method, path }) => ({ method, path }));
  const show = (path: string, body: unknown): AppRoute => ({
    method: "GET",
    path: `/_${name}/${path}`,
    handle: () => Response.json(body),
  });
  return [show("routes", list), show("config", config), show("manifest", { name, adapter: "native", routes: list })];
};

const failure = (error: unknown, log: (message: string) => void): Response => {
  const { status, message } = error as { status?: unknown; message?: unknown };
  if (status === 400 && typeof message === "string") return routerError("bad_request", message);
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return routerError("internal", "an internal error occurred");
};

const inTime = (work: Promise<Response>, timeoutMs: number): Promise<Response> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the handler took longer than ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

export const createAppHandler = (application: Application, log: (message: string) => void) => {
  const routes = [...application.routes, ...introspection(application)];
  const { name, config, timeoutMs } = application;
  return async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const matches = matchesOf(routes, path);
    if (matches.length === 0) return routerError("not_found", `no route matched path: ${path}`);
    const match = matches.find(({ route }) => isMethod(route, request.method));
    if (match === undefined) {
      const allowed = [...new Set(matches.map(({ route }) => route.method))].toSorted().join(", ");
      const message = `method ${request.method} not allowed; allowed: ${allowed}`;
      return routerError("method_not_allowed", message, { allow: allowed });
    }
    try {
      const work = async (): Promise<Response> => match.route.handle(request, { name, config, params: match.params });
      return await inTime(work(), timeoutMs);
    } catch (error) {
      return failure(error, log);
    }
  };
};
