import { describe, expect, test } from "vitest";
import type { Runner } from "../../protocol/run.ts";
import { type DoorName, type OpenDoors, openDoors } from "../doors/doors.ts";
import { loadCases, runCase, type SkillCase } from "../skills/cases.ts";
import { type Reply, type Send, sendToRunner, startMs, type World } from "../skills/world.ts";

/** What one run of a case left behind: every answer, and every row of the store. */
interface Trace {
  readonly replies: readonly unknown[];
  readonly rows: readonly unknown[];
}

/** The idempotency record is left out: on A2A every message has a key, through the other doors only those that send one. */
const kinds = [
  "quote",
  "deal",
  "proposal",
  "negotiation",
  "session",
  "session_message",
  "api_key",
  "operator_label",
  "approval",
  "order",
  "newest_order",
  "change_request",
  "agent",
  "webhook",
  "webhook_delivery",
  "package",
  "package_sync",
  "rate_card",
  "event",
];

/**
 * Ids and secrets are made anew in every run, and a cursor counts the rows before it, idempotency records too: each is
 * replaced by its place of first appearance. A key's hint is only its first characters, which two keys may share: it is
 * replaced by one word.
 */
const keyHint = /ask_live_[\w-]+\.\.\./g;
const madeAnew =
  /(?<="next_cursor":")\d+|qt-[0-9a-f]{12}|(?:prop|neg)-[0-9a-f]{8}|(?:ORD|CR)-[0-9A-F]{12}|DEMO-[0-9A-F]{12}|key-[0-9a-f]{8}|(?:agent|pkg)-[0-9a-f]{8}|wh-[0-9a-f]{12}|whd-[0-9a-f]{24}|whsec_[\w+/=]+|ask_live_[\w-]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{64}\b/g;

/** A door that opens a session before its first call uses the key more often. */
const useCount = /(?<="use_count":)\d+/g;

const anonymised = (value: unknown): unknown => {
  const places = new Map<string, string>();
  const text = JSON.stringify(value)
    .replace(keyHint, "key-hint")
    .replace(useCount, "0")
    .replace(madeAnew, (found) => {
      const place = places.get(found) ?? `made-${places.size + 1}`;
      places.set(found, place);
      return place;
    });
  return JSON.parse(text) as unknown;
};

const rowsOf = async (world: World): Promise<unknown[]> => {
  const rows: unknown[] = [];
  for (const kind of kinds) {
    const found = await world.store.list({ kind, terms: [], order: "oldest", limit: 500 });
    for (const { version, body } of found) rows.push({ kind, version, body });
  }
  return rows;
};

/** What all doors must agree on: a refusal's status and body, an answer's output. */
const comparable = (reply: Reply): unknown => {
  const { issues, retry_after_seconds: _retry, ...body } = reply.body;
  const list = issues as readonly { type: string; msg: string }[] | undefined;
  const located = list === undefined ? {} : { issues: list.map(({ type, msg }) => ({ type, msg })) };
  return { code: reply.code, status: reply.status, body: { ...body, ...located } };
};

const traceOf = async (skillCase: SkillCase, door: DoorName | "runner"): Promise<Trace> => {
  const replies: unknown[] = [];
  let rows: unknown[] = [];
  let open: Promise<OpenDoors> | null = null;
  const sendVia = (runner: Runner): Send => {
    const direct = sendToRunner(runner);
    return async (request, secret) => {
      if (door !== "runner" && request.caller !== "host") open ??= openDoors(runner, () => startMs);
      const doors = request.caller === "host" ? null : await open;
      const reply =
        doors === null || door === "runner" ? await direct(request, secret) : await doors.send(door, request, secret);
      replies.push(comparable(reply));
      return reply;
    };
  };
  try {
    await runCase(skillCase, sendVia, async (world) => {
      rows = await rowsOf(world);
    });
  } finally {
    const doors: OpenDoors | null = open === null ? null : await (open as Promise<OpenDoors>);
    await doors?.close();
  }
  return anonymised({ replies, rows }) as Trace;
};

const direct = new Map<string, Promise<Trace>>();

/** The runner's own trace, made once for all doors. */
const directTrace = (file: string, skillCase: SkillCase): Promise<Trace> => {
  const known = direct.get(file) ?? traceOf(skillCase, "runner");
  direct.set(file, known);
  return known;
};

const closedTo = (skillCase: SkillCase): boolean => skillCase.operation === "converse";

/** Every case through one door: the runner's answers, and the runner's records. */
export const describeParity = (door: "rest" | "mcp" | "a2a"): void => {
  describe(`parity: through ${door}`, () => {
    const cases = loadCases().filter(({ skillCase }) => !closedTo(skillCase));
    test.each(cases.map((found) => [found.file, found.skillCase] as const))(
      "%s gives the runner's answers and leaves the runner's records",
      async (file, skillCase) => {
        expect(await traceOf(skillCase, door)).toEqual(await directTrace(file, skillCase));
      },
    );
  });
};
