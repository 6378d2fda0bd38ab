import { isMembers } from "../neutral/json-input.ts";
import type { Members } from "../neutral/members.ts";
import type { Client } from "./client.ts";
import { type ClientFailure, failureOf, readErrorBody } from "./client-result.ts";
import { codeOf, parseAnswer, readBody } from "./limits.ts";
import { baseOf, callHeaders } from "./request.ts";

export interface StreamedEvent {
  readonly id: string;
  readonly record: Members;
}

/** Why a stream could not be opened, or broke off. */
export class StreamEnded extends Error {
  readonly failure: ClientFailure;

  constructor(failure: ClientFailure) {
    super(failure.detail);
    this.failure = failure;
  }
}

/** An agent writes a comment line more often than this. */
const silenceMs = 60_000;

const memberOf = (block: string, name: string): string =>
  block
    .split("\n")
    .filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2))
    .join("\n");

const eventOf = (block: string): StreamedEvent | null => {
  const parsed = parseAnswer(memberOf(block, "data"));
  const id = memberOf(block, "id");
  return id === "" || !isMembers(parsed?.json) ? null : { id, record: parsed.json };
};

const opened = async ({ target, outbound, mostBytes }: Client, lastId: string | null, signal: AbortSignal) => {
  const sellerUrl = new URL(target.baseUrl).origin;
  const resume = lastId === null ? {} : { "last-event-id": lastId };
  const answer = await outbound.fetch(`${baseOf(target.baseUrl)}/events/stream`, {
    headers: { ...callHeaders(target, {}), accept: "text/event-stream", ...resume },
    redirect: "manual",
    signal,
  });
  if (answer.ok && answer.body !== null) return answer.body;
  const text = await readBody({ fetch: outbound.fetch, sellerUrl, timeoutMs: silenceMs, mostBytes }, answer);
  throw new StreamEnded(readErrorBody(sellerUrl, answer.status, parseAnswer(text)?.json ?? text, null));
};

/**
 * The events of an agent as they come, behind `lastId`; null: from now on. Ends with `signal`; throws `StreamEnded`
 * where the agent refuses, does not answer, or the connection breaks off.
 */
export async function* streamEvents(
  client: Client,
  lastId: string | null,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent | "open"> {
  const sellerUrl = new URL(client.target.baseUrl).origin;
  try {
    const body = await opened(client, lastId, signal);
    yield "open";
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of body) {
      const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      if (rest.length > client.mostBytes) {
        throw new StreamEnded(failureOf(sellerUrl, 200, "response_too_large", "One event is larger than an answer."));
      }
      yield* blocks.map(eventOf).filter((event) => event !== null);
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof StreamEnded) throw error;
    const detail = `The stream of ${sellerUrl} broke off (${codeOf(error) ?? "no reason"}).`;
    throw new StreamEnded(failureOf(sellerUrl, 0, "connect_error", detail));
  }
  if (!signal.aborted) throw new StreamEnded(failureOf(sellerUrl, 0, "http_error", `${sellerUrl} ended its stream.`));
}
