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

/** `rest` resolves with all of the stream, from its first piece on. */
export const streamFrom = async (
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly rest: Promise<string> }> => {
  const typed = { "content-type": "application/json", ...headers };
  const answer = await fetch(url, { method: "POST", headers: typed, body: JSON.stringify(body) });
  const pieces = (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const first = await pieces.read();
  const readOn = async (): Promise<string> => {
    let text = first.value ?? "";
    for (let next = first; !next.done; next = await pieces.read()) text += next === first ? "" : (next.value ?? "");
    return text;
  };
  return { rest: readOn() };
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
