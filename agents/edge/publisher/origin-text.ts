import { remember } from "../remember.ts";
import type { TextTransform } from "./text-stream.ts";

export interface OriginNames {
  readonly originHost: string;
  readonly requestHost: string;
  readonly requestScheme: "http" | "https";
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");

const notAnEnd = "[A-Za-z0-9.:_-]";

const addressPattern = (host: string): RegExp =>
  new RegExp(`(https?:)?(\\\\?/\\\\?/)${escaped(host)}(?!${notAnEnd})`, "gi");

const replacement = (names: OriginNames, scheme: string | undefined, slashes: string): string =>
  scheme === undefined ? `${slashes}${names.requestHost}` : `${names.requestScheme}:${slashes}${names.requestHost}`;

const replaceAddresses = (value: string, from: number, pattern: RegExp, names: OriginNames): string | null => {
  let out = "";
  let at = from;
  pattern.lastIndex = from;
  for (let match = pattern.exec(value); match !== null; match = pattern.exec(value)) {
    out += value.slice(at, match.index) + replacement(names, match[1], match[2] ?? "//");
    at = pattern.lastIndex;
  }
  return at === from ? null : out + value.slice(at);
};

const expressionsOf = remember(16, (host: string) => ({
  pattern: addressPattern(host),
  // Sticky, so that they tell where the host ends without making a list of what matched.
  absolute: new RegExp(`https?://${escaped(host)}(?!${notAnEnd})`, "iy"),
  bare: new RegExp(`${escaped(host)}(?=[/?#]|$)`, "iy"),
}));

const lengthOfStart = (value: string, sticky: RegExp): number => {
  sticky.lastIndex = 0;
  sticky.test(value);
  return sticky.lastIndex;
};

/** Rewrites the addresses in one attribute value, `null` when there is none; a value may start with the bare host. */
export const createValueRewriter = (names: OriginNames): ((value: string) => string | null) => {
  const { pattern, absolute, bare } = expressionsOf(names.originHost);
  const { originHost, requestHost, requestScheme } = names;
  const requestOrigin = `${requestScheme}://${requestHost}`;
  return (value) => {
    // Most addresses of a page are relative, and shorter than any that names the host.
    if (value.length < originHost.length) return null;
    const absoluteEnd = lengthOfStart(value, absolute);
    const end = absoluteEnd === 0 ? lengthOfStart(value, bare) : absoluteEnd;
    const rest = replaceAddresses(value, end, pattern, names);
    if (end === 0) return rest;
    return (absoluteEnd === 0 ? requestHost : requestOrigin) + (rest ?? value.slice(end));
  };
};

/**
 * The same over a text without structure, in pieces. As much of the end is held back as an address is long, so that
 * one that lies across two pieces is still found whole, with the character behind it.
 */
export const createTextRewriter = (names: OriginNames): TextTransform => {
  const pattern = addressPattern(names.originHost);
  const longest = "https:".length + "\\/\\/".length + names.originHost.length + 1;
  let pending = "";

  const settle = (whole: string, isLast: boolean): string => {
    let cut = isLast ? whole.length : Math.max(0, whole.length - longest);
    let out = "";
    let at = 0;
    for (const match of whole.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (match.index >= cut) break;
      if (end === whole.length && !isLast) {
        cut = match.index;
        break;
      }
      out += whole.slice(at, match.index) + replacement(names, match[1], match[2] ?? "//");
      at = end;
      cut = Math.max(cut, end);
    }
    pending = whole.slice(cut);
    return out + whole.slice(at, cut);
  };

  return { push: (text) => settle(pending + text, false), end: () => settle(pending, true) };
};
