import { noStore } from "../http/cache-policy.ts";
import type { EdgeConfig } from "../config.ts";
import { jsonAnswer, refuse } from "../http/refusals.ts";
import type { EdgeResponse } from "../platform.ts";
import { sameSecret } from "../request/client.ts";

const admin = "/_ts/admin";
const legacy = "/admin/keys";

const isAtOrBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

const isAdminNamespace = (path: string): boolean => path.startsWith(admin) || isAtOrBelow(path, legacy);

const percentDecoded = (path: string): string =>
  path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Folds what a decoding origin would fold: backslashes, dot segments, doubled slashes. */
const refolded = (path: string): string => {
  const text = `http://folding.invalid${path.replace(/[?#]/g, "_")}`;
  const folded = URL.canParse(text) ? new URL(text).pathname : path;
  return folded.replace(/\/{2,}/g, "/");
};

const decodedForms = (path: string): string[] => {
  const forms = [path, refolded(path)];
  let form = path;
  for (let round = 0; round < 4; round += 1) {
    const next = percentDecoded(form);
    if (next === form) break;
    forms.push(next, refolded(next));
    form = next;
  }
  return forms;
};

const diagnostic = /^\/_ts\/admin\/(?:ec|ec\/[^/]+|eids|metrics|auctions)$/;

/** Answers for a path of the admin namespace that no route served, however it is encoded; `null`: not such a path. */
export const guardAdminNamespace = (path: string): EdgeResponse | null => {
  if (!path.includes("admin") && !path.includes("%")) return null;
  if (!decodedForms(path).some(isAdminNamespace)) return null;
  if (diagnostic.test(path)) return jsonAnswer(405, { error: "method not allowed" }, { ...noStore, allow: "GET" });
  return jsonAnswer(404, { error: "admin diagnostic route not found" }, noStore);
};

const unauthorized = (): Response =>
  new Response("Unauthorized", {
    status: 401,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "www-authenticate": 'Basic realm="Trusted Server"',
    },
  });

const credentials = (header: string | null): readonly [string, string] | null => {
  const [scheme, token, ...rest] = (header ?? "").trim().split(/\s+/);
  if (scheme?.toLowerCase() !== "basic" || token === undefined || rest.length > 0) return null;
  try {
    const bytes = Uint8Array.from(atob(token), (char) => char.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = text.indexOf(":");
    return colon < 0 ? null : [text.slice(0, colon), text.slice(colon + 1)];
  } catch {
    return null;
  }
};

interface Rule {
  readonly path: RegExp;
  readonly username: string;
  readonly password: string;
}

/** Both parts are always compared, so that time does not tell which one was wrong. */
const isRight = (given: readonly [string, string], rule: Rule): boolean => {
  const user = sameSecret(given[0], rule.username);
  const password = sameSecret(given[1], rule.password);
  return user && password;
};

export const createBasicAuth = (config: EdgeConfig): ((path: string, headers: Headers) => Response | null) => {
  const rules: Rule[] = config.handlers.map((handler) => ({ ...handler, path: new RegExp(handler.path) }));
  return (path, headers) => {
    const rule = rules.find((candidate) => candidate.path.test(path));
    if (rule === undefined) return isAtOrBelow(path, admin) ? refuse("configuration") : null;
    const given = credentials(headers.get("authorization"));
    return given !== null && isRight(given, rule) ? null : unauthorized();
  };
};
