/**
 * The legacy carrier's media type and its alias (seller spec, Audience plan on the deal booking); the content is JSON
 * either way.
 */
export const planMediaTypes = [
  "application/vnd.ucp.embedding+json; v=1",
  "application/vnd.iab.agentic-audiences+json; v=1",
] as const;
