import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { expect } from "vitest";
import { dispatchEvents } from "../../agents/seller/webhooks/dispatch.ts";
import { createCatalog } from "../../agents/seller/catalog/catalog.ts";
import { parseCatalog } from "../../agents/seller/catalog/load.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import type { SellerSettings } from "../../skills/seller/settings.ts";
import { openWorld, type Reply, type Request, type Send, type World } from "./world.ts";

interface Expectation {
  readonly output?: unknown;
  readonly refusal?: { readonly code: string; readonly status: number; readonly body?: unknown };
  readonly replayed?: boolean;
}

/** `save` names its output for `{{name.member}}` in later steps. */
interface Step {
  readonly caller: string;
  readonly operation: string;
  readonly input: unknown;
  readonly idempotency_key?: string;
  readonly dry_run?: boolean;
  readonly save?: string;
  /** Rejected, and yet stores something. */
  readonly stores?: true;
  readonly expect?: Expectation;
}

/** Time that passes, events sent to the webhooks as the worker does, or a job that a worker has to end first. */
type CaseStep =
  | Step
  | { readonly advance_seconds: number }
  | { readonly hand_over: "events" }
  | { readonly settled: string };

/**
 * `setup` must succeed unless it expects otherwise; then the case's call (saved as `answer`); `then` steps show the
 * effects. `settings` replace plain ones, `catalog` holds rows of a catalog file.
 */
export interface SkillCase extends Step {
  readonly title: string;
  readonly requirements?: readonly string[];
  readonly settings?: Partial<SellerSettings>;
  readonly catalog?: readonly unknown[];
  readonly setup?: readonly CaseStep[];
  readonly then?: readonly CaseStep[];
}

/** `pricing/request_quote/exemplary/agency.json`. */
export interface FoundCase {
  readonly file: string;
  readonly group: string;
  readonly operation: string;
  readonly skillCase: SkillCase;
}

const root = import.meta.dirname;

/** `<folder>/<group>/<operation>/{exemplary,supplemental}/`. */
export const loadCasesOf = (folder: string): readonly FoundCase[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const file = relative(folder, path);
      const [group = "", operation = ""] = file.split(sep);
      return { file, group, operation, skillCase: JSON.parse(readFileSync(path, "utf8")) as SkillCase };
    });

export const loadCases = (): readonly FoundCase[] => loadCasesOf(root);

export interface CaseWorld extends Pick<
  World,
  "store" | "logged" | "commits" | "advance" | "nowMs" | "send" | "close"
> {
  /** Where jobs go on after the answer. */
  settled?(jobId: string): Promise<void>;
}

export type Saved = Map<string, unknown>;

const lookUp = (saved: Saved, path: string): unknown => {
  const [name = "", ...members] = path.split(".");
  if (!saved.has(name)) throw new Error(`nothing was saved as ${name}`);
  return members.reduce<unknown>((value, member) => (value as Record<string, unknown>)[member], saved.get(name));
};

/** A string that is only a placeholder becomes the value itself. */
export const resolve = (value: unknown, saved: Saved): unknown => {
  if (typeof value === "string") {
    const whole = /^\{\{([^{}]+)\}\}$/.exec(value);
    if (whole?.[1] !== undefined) return lookUp(saved, whole[1]);
    return value.replace(/\{\{([^{}]+)\}\}/g, (_, path: string) => String(lookUp(saved, path)));
  }
  if (Array.isArray(value)) return value.map((item) => resolve(item, saved));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, saved)]));
};

/**
 * Objects may have more members, lists not more items. `{"$match": "…"}` is a pattern, `{"$absent": true}` must be
 * missing.
 */
const expectWithin = (actual: unknown, expected: unknown, at: string): void => {
  if (typeof expected !== "object" || expected === null) {
    expect(actual, at).toStrictEqual(expected);
    return;
  }
  if (Array.isArray(expected)) {
    expect(Array.isArray(actual) ? actual.length : actual, `${at}.length`).toBe(expected.length);
    expected.forEach((item, index) => expectWithin((actual as unknown[])[index], item, `${at}[${index}]`));
    return;
  }
  if ("$match" in expected) {
    expect(actual, at).toMatch(new RegExp(String(expected.$match)));
    return;
  }
  expect(actual, at).toBeTypeOf("object");
  for (const [name, member] of Object.entries(expected)) {
    const found = (actual as Record<string, unknown>)[name];
    const mustBeAbsent = typeof member === "object" && member !== null && "$absent" in member;
    if (mustBeAbsent) expect(actual, at).not.toHaveProperty(name);
    else expectWithin(found, member, `${at}.${name}`);
  }
};

const expectReply = (reply: Reply, expectation: Expectation, at: string): void => {
  const context = `${at} answered ${JSON.stringify(reply)}`;
  if (expectation.refusal === undefined) {
    expect(reply.code, context).toBeNull();
    expectWithin(reply.body, expectation.output ?? {}, at);
  } else {
    expect({ code: reply.code, status: reply.status }, context).toStrictEqual({
      code: expectation.refusal.code,
      status: expectation.refusal.status,
    });
    expectWithin(reply.body, expectation.refusal.body ?? {}, at);
  }
  if (expectation.replayed !== undefined) expect(reply.replayed, at).toBe(expectation.replayed);
};

const requestOf = (step: Step, saved: Saved): Request => ({
  caller: String(resolve(step.caller, saved)),
  operation: step.operation,
  input: resolve(step.input, saved),
  ...(step.idempotency_key === undefined ? {} : { idempotencyKey: step.idempotency_key }),
  ...(step.dry_run === undefined ? {} : { dryRun: step.dry_run }),
});

/** The only refusals that store: a quote declined for lack of inventory, a failed change request. */
const storing = ["inventory_unavailable", "validation_failed"];

const runStep = async (world: CaseWorld, step: Step, saved: Saved, at: string): Promise<Reply> => {
  const before = world.commits();
  const reply = await world.send(requestOf(step, saved));
  if (reply.code !== null && !storing.includes(reply.code) && step.stores !== true) {
    expect(world.commits(), `${at}: refused with ${reply.code}, and nothing is stored`).toBe(before);
  }
  if (step.save !== undefined) saved.set(step.save, reply.body);
  expectReply(reply, resolve(step.expect ?? {}, saved) as Expectation, at);
  return reply;
};

const runSteps = async (world: CaseWorld, steps: readonly CaseStep[], saved: Saved, at: string): Promise<void> => {
  for (const [index, step] of steps.entries()) {
    if ("advance_seconds" in step) world.advance(step.advance_seconds * 1000);
    else if ("settled" in step) await world.settled?.(String(resolve(step.settled, saved)));
    else if ("hand_over" in step) await dispatchEvents({ store: world.store, clock: world }, () => false);
    else await runStep(world, step, saved, `${at}[${index}] ${step.operation}`);
  }
};

/** `saved` holds named outputs, `request` the case's own call. */
export interface OpenedCase {
  readonly world: World;
  readonly saved: Saved;
  readonly request: Request;
}

export const openCase = async (
  skillCase: SkillCase,
  place: Pick<NonNullable<Parameters<typeof openWorld>[0]>, "sendVia" | "openStore">,
): Promise<OpenedCase> => {
  const world = await openWorld({
    ...(skillCase.settings === undefined ? {} : { settings: skillCase.settings }),
    ...(skillCase.catalog === undefined ? {} : { catalog: catalogOf(skillCase.catalog) }),
    ...place,
  });
  const saved: Saved = new Map();
  try {
    await runSteps(world, skillCase.setup ?? [], saved, "setup");
    return { world, saved, request: requestOf(skillCase, saved) };
  } catch (error) {
    await world.close();
    throw error;
  }
};

/** `inspect` sees what is left in the store. */
export const runCase = async (
  skillCase: SkillCase,
  sendVia?: (runner: Runner) => Send,
  inspect?: (world: World) => Promise<void>,
): Promise<void> => {
  const { world, saved } = await openCase(skillCase, sendVia === undefined ? {} : { sendVia });
  try {
    await runStep(world, { ...skillCase, save: "answer" }, saved, skillCase.operation);
    await runSteps(world, skillCase.then ?? [], saved, "then");
    expect(world.logged.filter(({ level }) => level === "error")).toStrictEqual([]);
    await inspect?.(world);
  } finally {
    await world.close();
  }
};

/** `saved` holds what the world itself names. */
export const runCaseIn = async (world: CaseWorld, skillCase: SkillCase, saved: Saved): Promise<void> => {
  await runSteps(world, skillCase.setup ?? [], saved, "setup");
  await runStep(world, { ...skillCase, save: "answer" }, saved, skillCase.operation);
  await runSteps(world, skillCase.then ?? [], saved, "then");
  expect(world.logged.filter(({ level }) => level === "error")).toStrictEqual([]);
};

const catalogOf = (rows: readonly unknown[]) => createCatalog(parseCatalog("case.json", JSON.stringify(rows), "USD"));
