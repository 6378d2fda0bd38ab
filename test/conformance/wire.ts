export type Members = Readonly<Record<string, unknown>>;

/** The text too: an empty answer and `null` differ. */
export interface Said {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

const asJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const post = async (
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Said> => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const typed = { "content-type": "application/json", ...headers };
  const answer = await fetch(url, { method: "POST", headers: typed, body: text });
  const said = await answer.text();
  return { status: answer.status, headers: answer.headers, text: said, body: asJson(said) };
};

/** Null for an event without a name. */
export const eventsOf = (text: string): { readonly name: string | null; readonly body: Members }[] =>
  text
    .split("\n\n")
    .map((block) => block.split("\n"))
    .filter((lines) => lines.some((line) => line.startsWith("data:")))
    .map((lines) => ({
      name:
        lines
          .find((line) => line.startsWith("event:"))
          ?.slice(6)
          .trim() ?? null,
      body: JSON.parse(lines.find((line) => line.startsWith("data:"))?.slice(5) ?? "") as Members,
    }));
