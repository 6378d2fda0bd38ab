import type { EdgeContext } from "../context.ts";

const absolute = /^(?:https?:)?[/\\]{2}[^/\\?#]*/i;

/**
 * `location` as the visitor must read it: where the origin names itself, by its address or by the host that it is sent,
 * the edge's own scheme and host stand in their place. Otherwise a redirect would lead past the edge.
 */
export const ownLocation = (location: string, { config, url }: EdgeContext): string => {
  const { origin_url: origin, origin_host_header_override: shown } = config.publisher;
  const authority = absolute.exec(location)?.[0];
  if (authority === undefined || !URL.canParse(location, origin)) return location;
  const named = new URL(location, origin);
  const isOwn = named.host === new URL(origin).host || named.host === shown?.toLowerCase();
  return isOwn && named.username === "" ? `${url.origin}${location.slice(authority.length)}` : location;
};
