const valuesIn = (value: unknown): string =>
  value !== null && typeof value === "object" ? Object.values(value).map(valuesIn).join(" ") : String(value);

/** What a program writes as JSON is read as the lines of a form. */
export const asForm = (text: string): string => {
  if (!/^\s*\{/.test(text)) return text;
  try {
    const fields = Object.entries(JSON.parse(text) as Readonly<Record<string, unknown>>);
    return fields
      .map(([name, value]) =>
        Array.isArray(value) ? value.map((one) => `- ${valuesIn(one)}`).join("\n") : `${name}: ${valuesIn(value)}`,
      )
      .join("\n");
  } catch {
    return text;
  }
};
