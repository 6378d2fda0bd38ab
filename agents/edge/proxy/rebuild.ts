import { privateHeaders } from "../http/cache-policy.ts";
import { z } from "zod";
import { parseJson } from "../http/body.ts";
import type { EdgeContext, EdgeHandler } from "../context.ts";
import type { EdgeRequest } from "../platform.ts";
import { jsonAnswer, refuse } from "../http/refusals.ts";
import { refuseSigned } from "./refuse-signed.ts";
import { reservedParameters, mintFromParts, verifySignedUrl } from "./signed-url.ts";
import { readSmallBody } from "./sign.ts";

const clickPath = "/first-party/click";

const rebuildSchema = z.object({
  tsclick: z.string(),
  add: z.record(z.string(), z.string()).nullish(),
  del: z.array(z.string()).nullish(),
});

interface Rebuild {
  readonly tsclick: string;
  readonly add: ReadonlyMap<string, string>;
  readonly del: readonly string[];
}

/** A form carries `add` and `del` as JSON text; what cannot be read there counts as not sent. */
const fromForm = (form: URLSearchParams): Rebuild => {
  const json = (name: string): unknown => parseJson(new TextEncoder().encode(form.get(name) ?? ""));
  const add = rebuildSchema.shape.add.safeParse(json("add"));
  const del = rebuildSchema.shape.del.safeParse(json("del"));
  return {
    tsclick: form.get("tsclick") ?? "",
    add: new Map(Object.entries((add.success ? add.data : null) ?? {})),
    del: (del.success ? del.data : null) ?? [],
  };
};

const readRebuild = async (
  request: EdgeRequest,
  context: EdgeContext,
): Promise<{ rebuild: Rebuild; isForm: boolean } | { refusal: Response }> => {
  if (request.method !== "POST") return { rebuild: fromForm(context.url.searchParams), isForm: true };
  const body = await readSmallBody(request);
  if ("refusal" in body) return body;
  const type = (request.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "application/x-www-form-urlencoded") {
    return { rebuild: fromForm(new URLSearchParams(new TextDecoder().decode(body.bytes))), isForm: true };
  }
  const parsed = rebuildSchema.safeParse(parseJson(body.bytes));
  if (!parsed.success) {
    const cure = "send tsclick as text, add as an object of texts and del as a list of texts";
    return { refusal: refuse("bad_request", cure) };
  }
  const { tsclick, add, del } = parsed.data;
  return { rebuild: { tsclick, add: new Map(Object.entries(add ?? {})), del: del ?? [] }, isForm: false };
};

const clickQuery = (tsclick: string, context: EdgeContext): URLSearchParams | null => {
  if (tsclick === "" || !URL.canParse(tsclick, context.url.href)) return null;
  const url = new URL(tsclick, context.url);
  return url.pathname === clickPath ? url.searchParams : null;
};

const conflictOf = ({ add, del }: Rebuild, kept: ReadonlyMap<string, string>): string | null => {
  const names = [...add.keys(), ...del];
  if (names.some((name) => reservedParameters.has(name))) return "tsurl, tstoken and tsexp cannot be added or deleted";
  const existing = [...add.keys()].find((name) => kept.has(name));
  return existing === undefined ? null : `the parameter ${existing} exists; delete it to replace it`;
};

export const handleFirstPartyRebuild: EdgeHandler = async (request, context) => {
  const read = await readRebuild(request, context);
  if ("refusal" in read) return read.refusal;
  const { rebuild, isForm } = read;
  const query = clickQuery(rebuild.tsclick, context);
  if (query === null) return refuse("bad_request", `tsclick must be an address of ${clickPath}`);
  const signed = verifySignedUrl(context.tokens, query, context.env.now());
  if (!signed.ok) return refuseSigned(signed, context);
  const kept = new Map(signed.target.pairs);
  const removed = rebuild.del.filter((name) => kept.has(name) && !reservedParameters.has(name) && kept.delete(name));
  const conflict = conflictOf(rebuild, kept);
  if (conflict !== null) return refuse("bad_request", conflict);
  const pairs = [...kept, ...rebuild.add].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const { href, base } = mintFromParts(context.tokens, "click", signed.target.tsurl, pairs);
  if (isForm) return new Response(null, { status: 302, headers: { location: href, ...privateHeaders } });
  return jsonAnswer(200, { href, base, added: Object.fromEntries(rebuild.add), removed }, privateHeaders);
};
