import { oneHeader } from "../../door/door-call.ts";
import { parseJson } from "../../neutral/json-input.ts";
import { dryRunAsked, queryOf } from "../../neutral/query.ts";
import type { CallInput } from "../../seam/operation.ts";
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

const anyType = (): boolean => true;

const fromBody = (plan: RoutePlan, ctx: HttpContext, text: string): Pick<CallInput, "input" | "dialect"> => {
  const body = parseJson(text, plan.limits);
  const params = ctx.params ?? {};
  return plan.dialect?.selects(body) === true
    ? { input: withPath(plan, plan.dialect.readRequest(body), params), dialect: plan.dialect.name }
    : { input: withPath(plan, body, params) };
};

const readInput = (parts: RestParts, plan: RoutePlan, ctx: HttpContext): CallInput | Promise<CallInput> => {
  const query = queryOf(ctx.url);
  const dryRun = query === null ? false : dryRunAsked(query);
  if (!plan.readsBody) {
    return { input: withPath(plan, query === null ? {} : readQuery(plan, query), ctx.params ?? {}), dryRun };
  }
  const agents = query === null ? [] : query.getAll("agent_url");
  const acceptType = plan.mediaTypes.size > 0 ? anyType : isJsonType;
  return parts.readText(ctx, acceptType).then((text) => ({ ...fromBody(plan, ctx, text), dryRun, agents }));
};

export const restHandler = (parts: RestParts, plan: RoutePlan): Handle => {
  const { dialect, contract, status, locate } = plan;
  const present = (output: unknown, named: string | null): unknown =>
    dialect !== null && named === dialect.name ? dialect.writeAnswer(output) : output;
  return async (ctx) => {
    const { headers } = ctx.req;
    const { requestId, traceparent, admission } = ctx.state;
    const outcome = await parts.runner.run({
      operation: contract.name,
      door: "rest",
      admission,
      requestId,
      traceparent,
      input: () => readInput(parts, plan, ctx),
      idempotencyKey: oneHeader(headers["idempotency-key"]),
      ifMatch: oneHeader(headers["if-match"]),
      locate,
    });
    sendOutcome(ctx, parts.errorShape, outcome, {
      status,
      present,
      mediaType: echoedType(plan, headers["content-type"]),
    });
  };
};
