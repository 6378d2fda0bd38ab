import { createTagReader } from "../html/tags/tag-stream.ts";
import { createValueRewriter, type OriginNames } from "./origin-text.ts";
import type { TextTransform } from "./text-stream.ts";
import { tsjsScriptUrl } from "./tsjs.ts";

export interface PageAds {
  readonly head: string;
  /** Goes before the end of the body, as soon as the auction has ended; never rejects. */
  readonly bids: Promise<string>;
}

const ownPath = '(?:/[^"&/\\\\]+)*/?';

const openDocument = createTagReader({
  attributes: new Set(["href", "src", "action", "srcset", "imagesrcset"]),
  leftAlone: ownPath,
  startTags: new Set(["head"]),
  endTags: new Set(["body"]),
  longestTag: 65_536,
});

const runtimeId = "trustedserver-js";

const runtimeTag = (): string => `<script src="${tsjsScriptUrl()}" id="${runtimeId}"></script>`;

/**
 * A publisher's page on its way through: its own addresses become the edge's, the library (and the
 * slots) go in at the first `head`, the bids before the first end of `body`. The page is held there until the auction
 * has ended, everything before it is already on its way.
 */
export const createPageTransform = (names: OriginNames, ads: PageAds | null): TextTransform => {
  const rewrite = createValueRewriter(names);
  let out = "";
  let isInjected = false;
  let bidsAt = -1;
  let isBidsDone = ads === null;
  const stream = openDocument(
    {
      startTag(tag) {
        tag.edit(rewrite);
        if (isInjected || tag.name !== "head") return;
        isInjected = true;
        tag.after(`${ads?.head ?? ""}${runtimeTag()}`);
      },
      endTag() {
        if (!isBidsDone && bidsAt < 0) bidsAt = out.length;
      },
    },
    (text) => void (out += text),
  );
  const takeWithBids = async (text: string, at: number, bids: Promise<string>): Promise<string> => {
    bidsAt = -1;
    isBidsDone = true;
    return text.slice(0, at) + (await bids) + text.slice(at);
  };
  const take = (): string | Promise<string> => {
    const text = out;
    out = "";
    return bidsAt < 0 || ads === null ? text : takeWithBids(text, bidsAt, ads.bids);
  };
  return {
    push(text) {
      stream.push(text);
      return take();
    },
    end() {
      stream.end();
      return take();
    },
  };
};
