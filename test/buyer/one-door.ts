import { request as ask } from "node:http";
import { answerJson, type Loopback, startLoopback } from "../client/loopback.ts";

/** A server in front of a seller that knows only the paths that match, and not the rejected keys. */
export const startOneDoor = async (
  paths: RegExp,
  seller: () => string,
  rejected: ReadonlySet<string> = new Set(),
): Promise<Loopback> =>
  startLoopback((request, response) => {
    if (rejected.has(String(request.headers["x-api-key"]))) {
      return answerJson(response, 401, { error: "invalid_api_key", detail: "Invalid API key" });
    }
    if (!paths.test(request.path)) return answerJson(response, 404, { error: "not_found", detail: "Not Found" });
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const forwarded = ask(new URL(request.path, seller()), { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    forwarded.end(request.body);
  });
