import {
  type Attributes,
  type AttributeValue,
  context,
  type Context,
  propagation,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";

/** A span that is running; without a collector of spans it takes everything and keeps nothing. */
export interface OpenSpan {
  rename(name: string): void;
  set(name: string, value: AttributeValue): void;
  /** What happened is an error, in a word or two: never a text of a caller. */
  fail(reason: string): void;
  /** What a request that belongs to it says of it (W3C Trace Context); null without a collector. */
  readonly traceparent: string | null;
}

const noSpan: OpenSpan = { rename: () => undefined, set: () => undefined, fail: () => undefined, traceparent: null };

/** Of the API without an SDK. */
const withoutSdk = new ProxyTracerProvider().getDelegate();

/** Null while no SDK is registered (`node --import`): a span then costs this question alone. */
const tracerNow = (): Tracer | null => {
  const provider = trace.getTracerProvider();
  const isOff = provider instanceof ProxyTracerProvider && provider.getDelegate() === withoutSdk;
  return isOff ? null : provider.getTracer("parley");
};

const traceparentOfSpan = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

interface SpanAbout {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
}

/** An error's message may hold what a caller sent: its name alone is kept. */
const spanned = <T>(
  tracer: Tracer,
  { name, ...options }: SpanAbout,
  parent: Context,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> =>
  tracer.startActiveSpan(name, options, parent, async (span) => {
    let isFailed = false;
    const fail = (message: string): void => {
      if (!isFailed) span.setStatus({ code: SpanStatusCode.ERROR, message });
      isFailed = true;
    };
    try {
      return await work({
        rename: (to) => void span.updateName(to),
        set: (member, value) => void span.setAttribute(member, value),
        fail,
        traceparent: traceparentOfSpan(span.spanContext()),
      });
    } catch (error) {
      fail(error instanceof Error ? error.name : "error");
      throw error;
    } finally {
      span.end();
    }
  });

/** Does `work` in a span of its own, a part of what runs now. */
export const inSpan = <T>(name: string, work: (span: OpenSpan) => Promise<T>): Promise<T> => {
  const tracer = tracerNow();
  return tracer === null ? work(noSpan) : spanned(tracer, { name }, context.active(), work);
};

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * An HTTP request that was taken: a part of what runs now (an instrumented server), else of the caller's trace. Baggage
 * is not taken from a caller, who would write into every request that goes out.
 */
export const inRequestSpan = <T>(
  method: string,
  headers: Headers,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> => {
  const tracer = tracerNow();
  if (tracer === null) return work(noSpan);
  const active = context.active();
  const parent =
    trace.getSpan(active) === undefined ? propagation.extract(active, { ...headers, baggage: undefined }) : active;
  const attributes = { "http.request.method": method };
  return spanned(tracer, { name: method, kind: SpanKind.SERVER, attributes }, parent, work);
};

const parsedTraceparent = (traceparent: string): SpanContext | null => {
  const [, traceId, spanId, flags] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
};

const contextOf = (traceparent: string | null): Context => {
  const parent = traceparent === null ? null : parsedTraceparent(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
};

/** Work that goes on later, in the trace that asked for it. */
export const inLaterSpan = <T>(
  name: string,
  traceparent: string | null,
  work: (span: OpenSpan) => Promise<T>,
): Promise<T> => {
  const tracer = tracerNow();
  return tracer === null ? work(noSpan) : spanned(tracer, { name }, contextOf(traceparent), work);
};

/**
 * A request that goes out, with the headers that name its span (null without a collector): a part of what runs now,
 * else of the trace that its `traceparent` names.
 */
export const inOutboundSpan = <T>(
  { method, host }: { readonly method: string; readonly host: string },
  traceparent: () => string | null,
  work: (headers: Readonly<Record<string, string>> | null, span: OpenSpan) => Promise<T>,
): Promise<T> => {
  const tracer = tracerNow();
  if (tracer === null) return work(null, noSpan);
  const active = context.active();
  const parent = trace.getSpan(active) === undefined ? contextOf(traceparent()) : active;
  const attributes = { "http.request.method": method, "server.address": host };
  return spanned(tracer, { name: method, kind: SpanKind.CLIENT, attributes }, parent, (span) => {
    const headers: Record<string, string> = {};
    propagation.inject(context.active(), headers);
    return work(headers, span);
  });
};
