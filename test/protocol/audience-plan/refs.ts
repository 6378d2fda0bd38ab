export type Ref = Readonly<Record<string, unknown>>;

/** IAB Audience Taxonomy. */
export const standard = (identifier: string): Ref => ({
  type: "standard",
  identifier,
  taxonomy: "iab-audience",
  version: "1.1",
  source: "explicit",
});

/** IAB Content Taxonomy. */
export const contextual = (identifier: string): Ref => ({
  type: "contextual",
  identifier,
  taxonomy: "iab-content",
  version: "3.1",
  source: "explicit",
});
