import type { EdgeConfig } from "../config.ts";
import type { MetHosts } from "../context.ts";
import type { EdgePeers } from "../platform.ts";
import { isHostListed } from "./host-list.ts";

/** Kept at most twice as many: providers name them, and a creative may have a new one for every impression. */
const mostHosts = 10_000;

/**
 * Hosts that an edge in open mode knows. Anybody can have any address signed, so that without a list of the operator
 * only the creatives of the providers say which hosts belong to the ads of this site.
 */
export const createMetHosts = (
  { proxy, publisher: { domain } }: Pick<EdgeConfig, "proxy" | "publisher">,
  publish?: EdgePeers["publish"],
): MetHosts => {
  const isOpen = proxy.allowed_domains.length === 0;
  const own = [domain, `*.${domain}`];
  let recent = new Set<string>();
  let older = new Set<string>();
  let untold: string[] = [];
  const add = (host: string): void => {
    if (recent.size >= mostHosts) [recent, older] = [new Set(), recent];
    recent.add(host);
  };
  const tell = (): void => {
    publish?.({ kind: "met", hosts: untold });
    untold = [];
  };
  return {
    meet(host) {
      if (!isOpen || recent.has(host)) return;
      const isNew = !older.has(host);
      add(host);
      if (isNew && publish !== undefined && untold.push(host) === 1) queueMicrotask(tell);
    },
    learn(hosts) {
      for (const host of hosts) if (!recent.has(host)) add(host);
    },
    isTrusted: (host) => !isOpen || recent.has(host) || older.has(host) || isHostListed(own, host),
  };
};
