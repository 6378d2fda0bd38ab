import type { EdgeHandler } from "./context.ts";
import { guardAdminNamespace } from "./guard.ts";
import { handlePublisher } from "./publisher/origin.ts";
import { handleTsjs, TSJS_PREFIX } from "./publisher/tsjs.ts";

/** What answers a path that no route serves, in this order (wire contract 2.5). */
export const dispatchFallback: EdgeHandler = async (request, context) => {
  const path = context.url.pathname;
  const guardedAnswer = guardAdminNamespace(path);
  if (guardedAnswer !== null) return guardedAnswer;
  if (request.method === "GET" && path.startsWith(TSJS_PREFIX)) return handleTsjs(request, context);
  return handlePublisher(request, context);
};
