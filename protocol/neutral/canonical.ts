/**
 * Canonical JSON text: object keys sorted by UTF-16 code unit, no blanks, members that are undefined left out.
 * Two parsed inputs are the same request exactly when their canonical texts are equal (decision 54).
 */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = value as Readonly<Record<string, unknown>>;
    const parts: string[] = [];
    for (const key of Object.keys(members).sort()) {
      if (members[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(members[key])}`);
    }
    return `{${parts.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
};
