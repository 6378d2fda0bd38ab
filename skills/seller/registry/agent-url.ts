/**
 * One spelling per agent: no query, fragment, user, default port, last dot or trailing slashes. Null: not an http(s)
 * URL.
 */
export const normalisedUrl = (agentUrl: string): string | null => {
  if (!URL.canParse(agentUrl)) return null;
  const url = new URL(agentUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const host = url.host.replace(/\.(?=:\d+$|$)/, "");
  return `${url.protocol}//${host}${url.pathname.replace(/\/+$/, "")}`;
};
