import { methodNotAllowed } from "../../app.ts";
import { routerError } from "../../http/refusals.ts";

const refusedMethods = ["TRACE", "TRACK", "CONNECT"];

const authority = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

export interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly hosts: readonly string[];
  readonly secure: boolean;
}

const badRequest = (message: string): Response => routerError("bad_request", message);

/**
 * Path and query of an absolute-form target; `null` for any other form. Its authority is not looked at: two of the
 * runtimes have already put that of `Host` in its place, and what one edge is must not depend on its runtime.
 */
const fromAbsoluteForm = (target: string): string | null => {
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  return rest === undefined || rest.startsWith("/") ? (rest ?? null) : `/${rest}`;
};

/**
 * Refusals that every runtime must give alike although their HTTP stacks differ, and the URL of what is left: scheme
 * of the connection, authority of `Host`, target as received.
 */
export const requestUrl = ({ method, target, hosts, secure }: RequestLine): string | Response => {
  if (refusedMethods.includes(method)) return methodNotAllowed(method);
  // Probes of load balancers speak HTTP/1.0, which has no Host; what is healthy does not depend on a name.
  const host = hosts.length === 0 && /^(?:https?:\/\/[^/]*)?\/health$/.test(target) ? "localhost" : hosts[0];
  if (hosts.length > 1 || host === undefined || !authority.test(host)) {
    return badRequest("send exactly one valid Host header");
  }
  // oxlint-disable-next-line no-control-regex -- control bytes are what is looked for.
  if (/[\u0000-\u0020\u007f]/.test(target)) return badRequest("the request target holds control characters");
  const path = target.startsWith("/") ? target : fromAbsoluteForm(target);
  if (path === null) return badRequest("the request target is neither a path nor an absolute URL");
  const url = `${secure ? "https" : "http"}://${host}${path}`;
  return URL.canParse(url) ? url : badRequest("the request target is no valid URL");
};
