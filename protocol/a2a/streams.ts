import { formatSSEErrorEvent, formatSSEEvent } from "@a2a-js/sdk";
import type { DoorResponse } from "../door/door.ts";
import type { RpcAnswer, RpcDispatcher } from "../jsonrpc/dispatcher.ts";
import type { CallContext } from "./call-context.ts";
import { type A2aTransports, isCurrent, refusedCall, thrownAnswer, withoutInnerText } from "./methods.ts";
import type { Members } from "../neutral/members.ts";

const streamingMethods = ["message/stream", "tasks/resubscribe", "SendStreamingMessage", "SubscribeToTask"];

export const asksForStream = ({ method }: Members): boolean => streamingMethods.some((name) => name === method);

type Stream = AsyncGenerator<unknown, void, undefined>;

const sseHeaders = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };

/** Never sent: a stream answers. */
const opened: RpcAnswer = { jsonrpc: "2.0", id: null, result: null };

const isStream = (value: unknown): value is Stream =>
  typeof (value as { [Symbol.asyncIterator]?: unknown } | null)?.[Symbol.asyncIterator] === "function";

interface Events {
  readonly first: IteratorResult<unknown, void>;
  readonly stream: Stream;
  readonly body: Members;
}

async function* pieces({ first, stream, body }: Events, context: CallContext): AsyncGenerator<string> {
  const { envelope } = context;
  try {
    if (!first.done) yield formatSSEEvent(envelope.event(first.value as RpcAnswer));
    for await (const event of stream) yield formatSSEEvent(envelope.event(event as RpcAnswer));
  } catch (error) {
    yield formatSSEErrorEvent(envelope.failure(body, error));
  } finally {
    context.end();
    await stream.return?.();
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

const eventResponse = (events: Events, context: CallContext): DoorResponse =>
  sseResponse(untilGone(pieces(events, context), context));

/** The first event is awaited before the headers, so that an early failure is a plain JSON error. */
const openStream = async (transports: A2aTransports, body: Members, context: CallContext): Promise<RpcAnswer> => {
  const refused = refusedCall(transports, body, context);
  if (refused !== null) return refused;
  const handler = isCurrent(body["method"]) ? transports.current : transports.legacy;
  try {
    const reply = await handler.handle(body as Record<string, unknown>, context);
    if (!isStream(reply)) return withoutInnerText(reply as RpcAnswer);
    context.stream = eventResponse({ first: await reply.next(), stream: reply, body }, context);
    return opened;
  } catch (error) {
    const failed = thrownAnswer(body, error);
    // A2A 0.3 answers a failed resubscribe over JSON-RPC as a stream.
    const isStreamed = body["method"] === "tasks/resubscribe" && context.envelope.binding === "JSONRPC";
    if (isStreamed) context.stream = sseResponse(formatSSEErrorEvent(failed));
    return failed;
  }
};

export const registerStreams = (dispatcher: RpcDispatcher<CallContext>, transports: A2aTransports): void => {
  for (const name of streamingMethods) {
    dispatcher.server.addMethodAdvanced(name, (body, context) =>
      openStream(transports, body as unknown as Members, context),
    );
  }
};
