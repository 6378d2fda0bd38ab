import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { call, callRaw, type Got, type Sent } from "./client.ts";
import { LETTERS, type Letter } from "./edge.ts";
import type { Reply, Upstream } from "./upstream.ts";

/** A `null` header must be absent; a text between slashes is an expression. */
export type Expected = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly body?: string;
  readonly bodyHas?: readonly string[];
  readonly bodyLacks?: readonly string[];
  readonly json?: unknown;
  /** Other members may be there too. */
  readonly jsonHas?: Readonly<Record<string, unknown>>;
};

export type Step = {
  readonly send?: Sent;
  /** Raw bytes; only the status line is compared. `{{host}}` is the edge's authority. */
  readonly raw?: string;
  readonly expect: Expected;
  /** Per runtime, as the case's `row` says. */
  readonly expectOn?: Readonly<Partial<Record<Letter, Expected>>>;
  /** Keeps an expression's first group, from cookies or body, for `{{name}}` in later steps. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Since the last step. */
  readonly upstream?: "none" | readonly SeenExpected[];
};

export type SeenExpected = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string;
};

/**
 * The only allowed differences: rows of the specification's tables ("What the service does", "Endpoints") and of the
 * adapters.
 */
const ROWS = [
  "Health route",
  "Trusted-client-IP handling",
  "Availability",
  "EC creation",
  "Geo",
  "Edge-cache response header",
  "Origin body",
] as const;

export type Case = {
  readonly title: string;
  /** Required exactly where the runtimes differ. */
  readonly row?: (typeof ROWS)[number];
  readonly requirements?: readonly string[];
  readonly on?: readonly Letter[];
  readonly replies?: Readonly<Record<string, Reply>>;
  readonly steps: readonly Step[];
};

export type CaseFile = { readonly config: string; readonly cases: readonly Case[] };

const FOLDER = join(import.meta.dirname, "..", "cases");
const CONFIGS = join(import.meta.dirname, "..", "configs");

/** By configuration, so that each is started once per runtime. */
export const readCases = (): ReadonlyMap<string, readonly Case[]> => {
  const byConfig = new Map<string, Case[]>();
  for (const name of readdirSync(FOLDER).toSorted()) {
    const file = JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as CaseFile;
    byConfig.set(file.config, [...(byConfig.get(file.config) ?? []), ...file.cases]);
  }
  return byConfig;
};

/** And titles of cases that name a row for nothing. */
export const unexplained = (cases: Iterable<Case>): string[] =>
  [...cases]
    .filter(({ on, steps, row }) => {
      const differs = on !== undefined || steps.some(({ expectOn }) => expectOn !== undefined);
      return differs ? row === undefined || !ROWS.includes(row) : row !== undefined;
    })
    .map(({ title }) => title);

export const readTestConfig = (name: string, upstream: Pick<Upstream, "url" | "host">): string =>
  readFileSync(join(CONFIGS, `${name}.toml`), "utf8")
    .replaceAll("{{origin}}", upstream.url)
    .replaceAll("{{origin-host}}", upstream.host);

export const runtimesOf = (one: Case): readonly Letter[] => one.on ?? LETTERS;

type Words = Record<string, string>;

/** `{{long-N}}` is a text of N characters. */
const filled = <T>(value: T, words: Words): T =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/\{\{([a-z-]+)\}\}/g, (whole, name: string) => words[name] ?? whole)
      .replace(/\{\{long-(\d+)\}\}/g, (_, length: string) => "x".repeat(Number(length))),
  ) as T;

const matches = (actual: string | undefined, wanted: string, what: string): void => {
  const expression = /^\/(.*)\/$/s.exec(wanted)?.[1];
  if (expression === undefined) expect(actual, what).toBe(wanted);
  else expect(actual, what).toMatch(new RegExp(expression));
};

const checkHeaders = (actual: Got["headers"], wanted: Expected["headers"], what: string): void => {
  for (const [name, value] of Object.entries(wanted ?? {})) {
    const found = actual[name.toLowerCase()];
    const label = `${what}: header ${name}`;
    if (value === null) expect(found, label).toBeUndefined();
    else if (typeof value === "string") matches(Array.isArray(found) ? found.join(", ") : found, value, label);
    else expect([found].flat(), label).toEqual(value);
  }
};

const checkBody = (body: Buffer, wanted: Expected, what: string): void => {
  const text = body.toString();
  if (wanted.body !== undefined) expect(text, what).toBe(wanted.body);
  for (const part of wanted.bodyHas ?? []) expect(text, what).toContain(part);
  for (const part of wanted.bodyLacks ?? []) expect(text, what).not.toContain(part);
  if (wanted.json !== undefined) expect(JSON.parse(text), what).toEqual(wanted.json);
  if (wanted.jsonHas !== undefined) expect(JSON.parse(text), what).toMatchObject(wanted.jsonHas);
};

const checkSeen = (upstream: Upstream, wanted: NonNullable<Step["upstream"]>, what: string): void => {
  const list = wanted === "none" ? [] : wanted;
  expect(
    upstream.seen.map(({ method, path }) => `${method} ${path}`),
    `${what}: upstream`,
  ).toHaveLength(list.length);
  list.forEach((one, index) => {
    const seen = upstream.seen[index];
    if (one.method !== undefined) expect(seen?.method, what).toBe(one.method);
    if (one.path !== undefined) expect(seen?.path, what).toBe(one.path);
    if (one.body !== undefined) matches(seen?.body, one.body, `${what}: upstream body`);
    checkHeaders(seen?.headers ?? {}, one.headers, `${what}: upstream`);
  });
};

export const runCase = async (one: Case, letter: Letter, base: string, upstream: Upstream): Promise<void> => {
  const words: Words = { host: new URL(base).host, origin: upstream.url, "origin-host": upstream.host };
  upstream.script(filled(one.replies ?? {}, words));
  for (const [index, raw] of one.steps.entries()) {
    const step = filled(raw, words);
    const what = `${letter} step ${index + 1}`;
    const wanted: Expected = { ...step.expect, ...step.expectOn?.[letter] };
    if (step.raw !== undefined) {
      const answer = await callRaw(base, step.raw);
      expect(Number(/^HTTP\/1\.\d (\d{3})/.exec(answer)?.[1]), `${what}: ${answer.slice(0, 200)}`).toBe(wanted.status);
    } else if (step.send !== undefined) {
      const got = await call(base, step.send);
      const label = `${what}: ${got.status} ${got.body.subarray(0, 300).toString()}`;
      if (wanted.status !== undefined) expect(got.status, label).toBe(wanted.status);
      checkHeaders(got.headers, wanted.headers, what);
      checkBody(got.body, wanted, label);
      const searched = [...[got.headers["set-cookie"] ?? []].flat(), got.body.toString()].join("\n");
      for (const [name, expression] of Object.entries(step.keep ?? {})) {
        words[name] = new RegExp(expression).exec(searched)?.[1] ?? "";
        expect(words[name], `${label}: ${expression}`).not.toBe("");
      }
    }
    if (step.upstream !== undefined) checkSeen(upstream, step.upstream, what);
    upstream.seen.length = 0;
  }
};
