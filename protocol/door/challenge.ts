/** `WWW-Authenticate` (RFC 6750, 3): what the caller lacks, as members. */
export type Challenge = (lacking?: Readonly<Record<string, string>>) => string;

export const lackingScope = (scope: string): Readonly<Record<string, string>> => ({
  error: "insufficient_scope",
  scope,
});
