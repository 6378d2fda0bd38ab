import { sameSecret } from "../request/client.ts";
import type { Tokens } from "./token.ts";

type Pairs = readonly (readonly [string, string])[];

export const reservedParameters: ReadonlySet<string> = new Set(["tsurl", "tstoken", "tsexp"]);

export type SignedRoute = "proxy" | "click";

const formOf = (pairs: Pairs): string =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();

const clearOf = (tsurl: string, pairs: Pairs): string => (pairs.length === 0 ? tsurl : `${tsurl}?${formOf(pairs)}`);

const withoutQuery = (url: URL): string => url.href.replace(/[?#].*$/s, "");

export interface MintedUrl {
  readonly href: string;
  readonly base: string;
}

export const mintFromParts = (tokens: Tokens, route: SignedRoute, tsurl: string, pairs: Pairs): MintedUrl => {
  const query = formOf([["tsurl", tsurl], ...pairs, ["tstoken", tokens.of(clearOf(tsurl, pairs))]]);
  return { href: `/first-party/${route}?${query}`, base: tsurl };
};

/**
 * Mints a first-party address for an absolute http(s) target. `null` when the target's own query uses a reserved name,
 * because it could not be told from ours. `expiresAtS` is a Unix time in seconds.
 */
export const mintUrl = (tokens: Tokens, route: SignedRoute, target: URL, expiresAtS?: number): MintedUrl | null => {
  const pairs = [...target.searchParams];
  if (pairs.some(([name]) => reservedParameters.has(name))) return null;
  if (expiresAtS !== undefined) pairs.push(["tsexp", String(expiresAtS)]);
  return mintFromParts(tokens, route, withoutQuery(target), pairs);
};

const plainBase = /^https?:\/\/((?:[a-z0-9-]+\.)+[a-z]{2,})\/[\w$&*+,./:;=@%-]*$/;
/** A percent sign stands before a character that the form serializer writes so too. */
const plainQuery = /^(?:[\w.*&=-]|%(?:2[1-9BCF]|3[A-F]|40|5[B-E]|60|7[B-E]))+$/;
const pairsOnly = /^[^=&]+=[^=&]*(?:&[^=&]+=[^=&]*)*$/;
const changedByParser = /\/\.|%2e|\/\/(?:[^/]*\.)?xn--|[?&](?:tsurl|tstoken|tsexp)=/i;

export interface PlainTarget {
  readonly address: string;
  readonly base: string;
  readonly host: string;
  readonly query: string | null;
}

/**
 * The parts of an http(s) address that the URL parser and the form serializer would both leave as it is. `null`: only
 * they can tell what it is.
 */
export const plainTarget = (address: string): PlainTarget | null => {
  const mark = address.indexOf("?");
  const base = mark < 0 ? address : address.slice(0, mark);
  const query = mark < 0 ? null : address.slice(mark + 1);
  const host = plainBase.exec(base)?.[1];
  if (host === undefined || changedByParser.test(address)) return null;
  const isPlain = query === null || (plainQuery.test(query) && pairsOnly.test(query));
  return isPlain ? { address, base, host, query } : null;
};

/** What `mintUrl` gives for the same address, at a part of its cost. */
export const mintPlain = (tokens: Tokens, route: SignedRoute, { address, base, query }: PlainTarget): MintedUrl => {
  const pairs = query === null ? "" : `&${query}`;
  const href = `/first-party/${route}?tsurl=${encodeURIComponent(base)}${pairs}&tstoken=${tokens.of(address)}`;
  return { href, base };
};

export interface SignedTarget {
  readonly tsurl: string;
  readonly pairs: Pairs;
  readonly clear: string;
  readonly url: URL;
}

export type SignedUrlResult =
  | { readonly ok: true; readonly target: SignedTarget }
  | { readonly ok: false; readonly code: "bad_request" | "forbidden"; readonly message: string };

const bad = (message: string): SignedUrlResult => ({ ok: false, code: "bad_request", message });
const forbidden = (message: string): SignedUrlResult => ({ ok: false, code: "forbidden", message });

export const parseTarget = (text: string): URL | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return null;
  return url.username === "" && url.password === "" ? url : null;
};

/** Checks the token first, then the expiry: an expiry that the token does not cover means nothing. */
export const verifySignedUrl = (tokens: Tokens, query: URLSearchParams, nowMs: number): SignedUrlResult => {
  const tsurl = query.get("tsurl") ?? "";
  const token = query.get("tstoken") ?? "";
  if (tsurl === "") return bad("tsurl is missing; mint the address with /first-party/sign");
  if (token === "") return bad("tstoken is missing; mint the address with /first-party/sign");
  const expiries = query.getAll("tsexp");
  if (!expiries.every((text) => /^\d{1,15}$/.test(text))) return bad("tsexp must be a Unix time in seconds");
  const base = parseTarget(tsurl);
  if (base === null) return bad("tsurl must be an absolute http or https URL without credentials");
  const pairs = [...query].filter(([name]) => name !== "tsurl" && name !== "tstoken");
  const clear = clearOf(tsurl, pairs);
  if (!sameSecret(token, tokens.of(clear))) return forbidden("invalid token signature");
  const nowS = Math.floor(nowMs / 1_000);
  if (expiries.some((text) => Number(text) < nowS)) return forbidden("the address has expired");
  const url = parseTarget(
    clearOf(
      tsurl,
      pairs.filter(([name]) => name !== "tsexp"),
    ),
  );
  return url === null ? bad("tsurl cannot be used as an address") : { ok: true, target: { tsurl, pairs, clear, url } };
};
