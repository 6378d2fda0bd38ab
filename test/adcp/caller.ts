import { randomUUID } from "node:crypto";
import type { Started } from "../spec/launched.ts";

export type Members = Readonly<Record<string, unknown>>;
export type Door = "mcp" | "a2a";

export interface TaskReply {
  readonly http: number;
  readonly body: Members;
  /** The first error's code; null where the task succeeded. */
  readonly code: string | null;
}

export type Ask = (task: string, args: Members, key?: string | null) => Promise<TaskReply>;

const bodies = {
  mcp: (name: string, args: Members) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  }),
  a2a: (skill: string, parameters: Members) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "message/send",
    params: {
      message: {
        kind: "message",
        messageId: randomUUID(),
        role: "user",
        parts: [{ kind: "data", data: { skill, parameters } }],
      },
    },
  }),
};

const paths = { mcp: "/adcp/mcp", a2a: "/adcp" };

interface Answered {
  readonly structuredContent?: Members;
  readonly artifacts?: readonly { readonly parts: readonly { readonly data?: Members }[] }[];
}

const bodyOf = ({ structuredContent, artifacts }: Answered): Members =>
  structuredContent ?? artifacts?.[0]?.parts[0]?.data ?? {};

const codeOf = ({ errors }: Members): string | null =>
  Array.isArray(errors) ? String((errors as Members[])[0]?.["code"]) : null;

/** A buyer that speaks AdCP over one of the two doors. */
export const callerOver =
  (door: Door, seller: () => Pick<Started, "ask">, own: () => string, more: Members = {}): Ask =>
  async (task, args, key = own()) => {
    const { status, body } = await seller().ask("POST", paths[door], {
      headers: {
        accept: "application/json, text/event-stream",
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(more as Readonly<Record<string, string>>),
      },
      body: bodies[door](task, args),
    });
    const answer = bodyOf((body["result"] ?? {}) as Answered);
    return { http: status, body: answer, code: codeOf(answer) };
  };

export const account = { brand: { domain: "acme.example" }, operator: "agency.example" };

const flight = { start_time: "2037-03-01T00:00:00Z", end_time: "2037-03-31T00:00:00Z" };

export const newKey = (): string => randomUUID();

export const buyOf = (packages: readonly Members[]): Members => ({
  idempotency_key: newKey(),
  account,
  brand: account.brand,
  ...flight,
  packages,
});

/** Guaranteed at a fixed price. */
export const onePackage: Members = { product_id: "prod-15ba2543", pricing_option_id: "cpm-pg", budget: 5000 };
