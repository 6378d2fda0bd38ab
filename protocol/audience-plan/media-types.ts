/**
 * The names under which a body with an audience plan travels (seller spec, Audience plan on the deal booking): that of
 * the legacy carrier and its alias. What is in it is JSON either way.
 */
export const planMediaTypes = [
  "application/vnd.ucp.embedding+json; v=1",
  "application/vnd.iab.agentic-audiences+json; v=1",
] as const;
