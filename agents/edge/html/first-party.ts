import { plainHost } from "../../../protocol/neutral/address-guard.ts";
import { isHostListed } from "../proxy/host-list.ts";
import { mintPlain, mintUrl, plainTarget } from "../proxy/signed-url.ts";
import type { Tokens } from "../proxy/token.ts";
import type { SignedRoute } from "../proxy/signed-url.ts";

export interface FirstPartyRules {
  readonly tokens: Tokens;
  readonly excluded: readonly string[];
  readonly origin: string;
  /** Told the host of every address; absent where whoever wrote the document is not trusted. */
  readonly meet?: (host: string) => void;
}

/** Resolves relative addresses to a host that no real address has, so that they can be told from absolute ones. */
const nowhere = "relative.invalid";
/** Most addresses that one document may have minted: each costs a token, and a creative never has so many. */
const mostAddresses = 10_000;

/** The URL that a browser would fetch, or `null` for a relative address and for every scheme but http and https. */
const absoluteUrl = (address: string): URL | null => {
  if (!URL.canParse(address, `https://${nowhere}/`)) return null;
  const url = new URL(address, `https://${nowhere}/`);
  return /^https?:$/.test(url.protocol) && url.hostname !== nowhere && url.hostname !== "" ? url : null;
};

export const createMinter = (rules: FirstPartyRules) => {
  const known = new Map<string, string | null>();
  const mint = (route: SignedRoute, address: string): string | null => {
    const plain = plainTarget(address);
    const url = plain === null ? absoluteUrl(address) : null;
    const host = plain?.host ?? (url === null ? "" : plainHost(url));
    if (host === "" || isHostListed(rules.excluded, host)) return null;
    rules.meet?.(host);
    if (plain !== null) return rules.origin + mintPlain(rules.tokens, route, plain).href;
    if (url === null) return null;
    url.username = "";
    url.password = "";
    const minted = mintUrl(rules.tokens, route, url);
    return minted === null ? null : rules.origin + minted.href;
  };
  return {
    mint(route: SignedRoute, address: string): string | null {
      const key = `${route} ${address}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      const minted = mint(route, address);
      known.set(key, minted);
      return minted;
    },
    isExhausted: (): boolean => known.size > mostAddresses,
  };
};
