/**
 * One spelling for each agent's URL: scheme, lower-case host without a last dot, port unless it is the scheme's own,
 * path without trailing slashes. Query, fragment and user are no part of an agent. Null: not an http(s) URL.
 */
export const normalisedUrl = (agentUrl: string): string | null => {
  if (!URL.canParse(agentUrl)) return null;
  const url = new URL(agentUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const host = url.host.replace(/\.(?=:\d+$|$)/, "");
  return `${url.protocol}//${host}${url.pathname.replace(/\/+$/, "")}`;
};
