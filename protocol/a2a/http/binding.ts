import {
  type A2AError,
  ContentTypeNotSupportedError,
  fromJsonRpcErrorResponse,
  RequestMalformedError,
  restStatusFor,
  VersionNotSupportedError,
} from "@a2a-js/sdk/errors";
import type { DoorRequest, DoorResponse, DoorRoute } from "../../door/door.ts";
import { invalidRequest, parseMessage, type RpcAnswer, RpcFailure } from "../../jsonrpc/message.ts";
import { isMembers } from "../../neutral/json-input.ts";
import { queryOf } from "../../neutral/query.ts";
import { type Refusal, Refused } from "../../neutral/refusals.ts";
import type { Envelope } from "../call-context.ts";
import { type A2aWire, answerRpc } from "../exchange.ts";
import { withExtensions } from "../extensions.ts";
import type { Members } from "../../neutral/members.ts";

export type Texts = Readonly<Record<string, string>>;

export interface HttpCall {
  readonly http: DoorRoute["method"];
  readonly path: string;
  /** The JSON-RPC method of the same meaning. */
  readonly method: string;
  readonly params: (path: Texts, query: Texts, body: Members) => Members;
  readonly status?: number;
  /** Left out: the result as JSON-RPC has it. */
  readonly shown?: (result: unknown) => unknown;
}

/** HTTP+JSON of one version. */
export interface HttpBinding {
  readonly version: "0.3" | "1.0";
  readonly calls: readonly HttpCall[];
  readonly envelope: Envelope;
  readonly failed: (error: unknown) => DoorResponse;
  readonly refused: (refusal: Refusal) => DoorResponse;
}

export const jsonResponse = (
  status: number,
  value: unknown,
  more: Readonly<Record<string, string>> = {},
): DoorResponse => ({
  status,
  headers: status === 204 ? more : { "content-type": "application/json", ...more },
  body: status === 204 ? null : JSON.stringify(value),
});

/** A2A 1.0, 5.4: where the SDK has 400. */
export const httpStatusOf = (error: unknown): number =>
  error instanceof ContentTypeNotSupportedError ? 415 : restStatusFor(error);

/** A2A 1.0, 11.1: clients of its first release read JSON alone. */
const typed = ({ headers }: DoorRequest, response: DoorResponse): DoorResponse => {
  const isAsked = headers["accept"]?.includes("application/a2a+json") === true;
  return isAsked && response.headers["content-type"] === "application/json"
    ? { ...response, headers: { ...response.headers, "content-type": "application/a2a+json" } }
    : response;
};

const unread = ({ failed, refused }: HttpBinding, error: unknown): DoorResponse => {
  if (error instanceof VersionNotSupportedError) return failed(error);
  if (error instanceof RpcFailure) return failed(new RequestMalformedError(error.message));
  if (!(error instanceof Refused)) throw error;
  const { code, message, issues } = error.refusal;
  if (code === "unsupported_media_type") return failed(new ContentTypeNotSupportedError(message));
  return issues === undefined ? refused(error.refusal) : failed(new RequestMalformedError(issues[0]?.msg ?? message));
};

const bodyOf = async ({ limits }: A2aWire, request: DoorRequest): Promise<Members> => {
  const text = request.method === "POST" ? await request.readBody() : "";
  const body = text.trim() === "" ? {} : (parseMessage(text, limits) ?? {});
  if (!isMembers(body)) throw new RpcFailure("The body must be an object.", invalidRequest);
  return body;
};

const queryOfUrl = ({ node }: DoorRequest): Texts => Object.fromEntries(queryOf(node.request.url ?? "") ?? []);

/** Each version has its address: the body of one would be misread as the other's. */
const checkVersion = ({ headers }: DoorRequest, { version }: HttpBinding): void => {
  const named = headers["a2a-version"] ?? "";
  if (named !== "" && named !== version) {
    throw new VersionNotSupportedError(
      `This address speaks A2A ${version}, not ${named}. The agent card has the other.`,
    );
  }
};

const errorOf = (answer: RpcAnswer): A2AError =>
  fromJsonRpcErrorResponse(answer as Parameters<typeof fromJsonRpcErrorResponse>[0]);

const serve = async (
  wire: A2aWire,
  binding: HttpBinding,
  call: HttpCall,
  request: DoorRequest,
): Promise<DoorResponse> => {
  checkVersion(request, binding);
  const params = call.params(request.params, queryOfUrl(request), await bodyOf(wire, request));
  const message = { jsonrpc: "2.0", id: request.requestId, method: call.method, params };
  const answered = await answerRpc(wire, request, message, binding.envelope);
  if ("stream" in answered) return answered.stream;
  const { answer } = answered;
  if (answer.error !== undefined) return binding.failed(errorOf(answer));
  const result = answer.result ?? {};
  return jsonResponse(call.status ?? 200, call.shown === undefined ? result : call.shown(result));
};

/** Each call is the JSON-RPC call of the same meaning, with other envelopes. */
export const httpRoutes = (
  wire: A2aWire,
  binding: HttpBinding,
  base: string,
  access: Pick<DoorRoute, "access">,
): readonly DoorRoute[] =>
  binding.calls.map((call) => ({
    method: call.http,
    path: `${base}${call.path}`,
    ...access,
    refused: (request, refusal) => Promise.resolve(typed(request, binding.refused(refusal))),
    handle: async (request) =>
      withExtensions(
        request,
        typed(request, await serve(wire, binding, call, request).catch((error: unknown) => unread(binding, error))),
      ),
  }));
