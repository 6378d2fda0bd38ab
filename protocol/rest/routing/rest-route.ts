import { oneHeader } from "../../door/door-call.ts";
import { parseJson } from "../../neutral/json-input.ts";
import { dryRunAsked, queryOf } from "../../neutral/query.ts";
import type { Call } from "../../seam/operation.ts";
import type { Runner } from "../../seam/run/run.ts";
import { sendOutcome } from "../answer.ts";
import { isJsonType, type ReadText } from "../body.ts";
import type { ErrorShape } from "../errors.ts";
import type { HttpContext } from "../exchange.ts";
import { echoedType, readQuery, type RoutePlan, withPath } from "./route-plan.ts";
import type { Handle } from "./routes.ts";

export interface RestParts {
  readonly runner: Runner;
  readonly errorShape: ErrorShape;
  readonly readText: ReadText;
}

/** Filled by the input thunk, which `run` calls before it reads these. */
type OpenCall = { -readonly [Member in keyof Call]: Call[Member] };

const anyType = (): boolean => true;

const fromBody = (plan: RoutePlan, ctx: HttpContext, call: OpenCall, text: string): unknown => {
  const body = parseJson(text, plan.limits);
  const isDialect = plan.dialect?.selects(body) === true;
  if (isDialect) call.dialect = plan.dialect.name;
  return withPath(plan, isDialect ? plan.dialect.readRequest(body) : body, ctx.params ?? {});
};

const readInput = async (parts: RestParts, plan: RoutePlan, ctx: HttpContext, call: OpenCall): Promise<unknown> => {
  const query = queryOf(ctx.url);
  if (query !== null) call.dryRun = dryRunAsked(query);
  if (!plan.readsBody) return withPath(plan, query === null ? {} : readQuery(plan, query), ctx.params ?? {});
  if (query !== null) call.agents = query.getAll("agent_url");
  const text = await parts.readText(ctx, plan.mediaTypes.size > 0 ? anyType : isJsonType);
  return fromBody(plan, ctx, call, text);
};

export const restHandler = (parts: RestParts, plan: RoutePlan): Handle => {
  const { dialect, contract, status, locate } = plan;
  const present = (output: unknown, named: string | null): unknown =>
    dialect !== null && named === dialect.name ? dialect.writeAnswer(output) : output;
  return async (ctx) => {
    const { headers } = ctx.req;
    const { requestId, traceparent, admission } = ctx.state;
    const call: OpenCall = {
      operation: contract.name,
      door: "rest",
      admission,
      requestId,
      traceparent,
      input: () => readInput(parts, plan, ctx, call),
      idempotencyKey: oneHeader(headers["idempotency-key"]),
      ifMatch: oneHeader(headers["if-match"]),
      dryRun: false,
      dialect: null,
      locate,
    };
    const outcome = await parts.runner.run(call);
    sendOutcome(ctx, parts.errorShape, outcome, {
      status,
      present,
      mediaType: echoedType(plan, headers["content-type"]),
    });
  };
};
