import { rewriteCss } from "./css.ts";
import { createMinter } from "./first-party.ts";
import type { FirstPartyRules } from "./first-party.ts";
import { rewriteSrcset } from "./srcset.ts";
import type { StartTag } from "./tags/tag-draft.ts";
import { createTagReader } from "./tags/tag-stream.ts";
import { decodeAttribute, encodeText } from "./tags/attribute-text.ts";

const fetched: Readonly<Record<string, readonly string[]>> = {
  img: ["src", "data-src"],
  script: ["src"],
  video: ["src"],
  audio: ["src"],
  source: ["src"],
  embed: ["src"],
  iframe: ["src"],
  object: ["data"],
  image: ["href", "xlink:href"],
  use: ["href", "xlink:href"],
};

const openDocument = createTagReader({
  attributes: new Set("src data-src srcset imagesrcset style href xlink:href data rel type id data-tsclick".split(" ")),
  startTags: new Set(["base", "body"]),
  longestTag: Number.POSITIVE_INFINITY,
});

const runtimeId = "trustedserver-js";
const runtime = `<script src="/static/tsjs=tsjs-unified.min.js" id="${runtimeId}"></script>`;

export type CreativeRules = FirstPartyRules & {
  readonly injectRuntime: boolean;
  readonly longest: number;
};

const isFetchedLink = (tag: StartTag): boolean => /stylesheet|preload|prefetch/i.test(tag.get("rel") ?? "");

const fetchedAttributes = (tag: StartTag): readonly string[] => {
  if (tag.name === "link") return isFetchedLink(tag) ? ["href"] : [];
  if (tag.name === "input") return tag.get("type")?.trim().toLowerCase() === "image" ? ["src"] : [];
  return Object.hasOwn(fetched, tag.name) ? (fetched[tag.name] ?? []) : [];
};

type Minter = ReturnType<typeof createMinter>;

const replace = (tag: StartTag, attribute: string, next: (value: string) => string | null): string | null => {
  const value = tag.get(attribute);
  const changed = value === null ? null : next(value);
  if (changed !== null && changed !== value) tag.set(attribute, changed);
  return changed;
};

const rewriteTag = (tag: StartTag, minter: Minter): void => {
  const proxy = (address: string): string | null => minter.mint("proxy", address);
  for (const attribute of fetchedAttributes(tag)) replace(tag, attribute, proxy);
  replace(tag, "srcset", (value) => rewriteSrcset(value, proxy));
  replace(tag, "imagesrcset", (value) => rewriteSrcset(value, proxy));
  replace(tag, "style", (value) => rewriteCss(value, proxy));
  if (tag.name !== "a" && tag.name !== "area") return;
  const click = replace(tag, "href", (address) => minter.mint("click", address));
  if (click !== null) tag.set("data-tsclick", click);
};

const rewriteStyle = (css: string, isInForeign: boolean, minter: Minter): string => {
  const proxy = (address: string): string | null => minter.mint("proxy", address);
  if (!isInForeign) return rewriteCss(css, proxy);
  const text = decodeAttribute(css);
  const next = rewriteCss(text, proxy);
  return next === text ? css : encodeText(next);
};

/**
 * Turns every absolute address of an HTML creative into a first-party one. Answers the empty text when the result is
 * longer than allowed: half a creative is worse than none.
 */
export const rewriteCreative = (html: string, rules: CreativeRules): string => {
  const minter = createMinter(rules);
  const pieces: string[] = [];
  let length = 0;
  let isInjected = !rules.injectRuntime;
  const isOver = (): boolean => length > rules.longest || minter.isExhausted();
  const stream = openDocument(
    {
      startTag(tag) {
        if (isOver()) return;
        if (tag.name === "script" && tag.get("id") === runtimeId) isInjected = true;
        if (tag.name === "base") return tag.remove();
        rewriteTag(tag, minter);
        if (tag.name !== "body" || isInjected) return;
        tag.after(runtime);
        isInjected = true;
      },
      style: (css, isInForeign) => (isOver() ? "" : rewriteStyle(css, isInForeign, minter)),
    },
    (text) => {
      length += text.length;
      if (!isOver()) pieces.push(text);
    },
  );
  stream.push(html);
  stream.end();
  if (isOver()) return "";
  return isInjected ? pieces.join("") : runtime + pieces.join("");
};

/** Turns every absolute address of a style sheet into a first-party one; empty when the result is too long. */
export const rewriteStyleSheet = (css: string, rules: Omit<CreativeRules, "injectRuntime">): string => {
  const minter = createMinter(rules);
  const next = rewriteCss(css, (address) => (minter.isExhausted() ? null : minter.mint("proxy", address)));
  return next.length > rules.longest || minter.isExhausted() ? "" : next;
};
