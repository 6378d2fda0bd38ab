/** `WWW-Authenticate` (RFC 6750, 3): what the caller lacks, as members. */
export type Challenge = (lacking?: Readonly<Record<string, string>>) => string;

export const bearerChallenge: Challenge = (members = {}) =>
  [
    "Bearer",
    Object.entries(members)
      .map(([name, value]) => `${name}="${value}"`)
      .join(", "),
  ]
    .join(" ")
    .trim();

/** RFC 6750, 3.1: not where no key was sent. */
export const invalidToken: Readonly<Record<string, string>> = { error: "invalid_token" };

export const lackingScope = (scope: string): Readonly<Record<string, string>> => ({
  error: "insufficient_scope",
  scope,
});
