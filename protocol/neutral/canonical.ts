/** Keys sorted by UTF-16 code unit, no blanks, undefined left out: equal requests have equal texts. */
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
