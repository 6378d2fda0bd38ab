import { formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";
import type { DoorResponse } from "../door/door.ts";
import type { RpcAnswer } from "../jsonrpc/message.ts";
import type { Members } from "../neutral/members.ts";
import type { CallContext } from "./call-context.ts";
import { type RpcStream, thrownAnswer } from "./transport.ts";

const sseHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };

interface Events {
  readonly first: IteratorResult<RpcAnswer, void>;
  readonly stream: RpcStream;
  readonly body: Members;
}

async function* pieces({ first, stream, body }: Events, context: CallContext): AsyncGenerator<string> {
  const { envelope } = context;
  try {
    if (first.done !== true) yield formatSSEEvent(envelope.event(first.value));
    for await (const event of stream) yield formatSSEEvent(envelope.event(event));
  } catch (error) {
    yield formatSSEErrorEvent(envelope.failure(body, error));
  } finally {
    context.end();
    await stream.return();
  }
}

/** A reader that goes ends the stream at once: a return alone would wait for the next event. */
const untilGone = (source: AsyncGenerator<string>, context: CallContext): AsyncIterable<string> => {
  const finish = async (): Promise<IteratorResult<string>> => {
    context.end();
    await source.return(undefined);
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next: () => source.next(), return: finish }) };
};

const sseResponse = (body: DoorResponse["body"]): DoorResponse => ({ status: 200, headers: sseHeaders, body });

export type Answered = { readonly answer: RpcAnswer } | { readonly stream: DoorResponse };

/** The first event is awaited before the headers, so that an early failure is a plain JSON error. */
export const openStream = async (stream: RpcStream, body: Members, context: CallContext): Promise<Answered> => {
  try {
    const first = await stream.next();
    return { stream: sseResponse(untilGone(pieces({ first, stream, body }, context), context)) };
  } catch (error) {
    context.end();
    const answer = thrownAnswer(body, error);
    // A2A 0.3 answers a failed resubscribe over JSON-RPC as a stream.
    const isStreamed = body["method"] === "tasks/resubscribe" && context.envelope.binding === "JSONRPC";
    return isStreamed ? { stream: sseResponse(formatSSEErrorEvent(answer)) } : { answer };
  }
};
