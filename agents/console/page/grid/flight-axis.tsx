const dayMs = 86_400_000;

export interface Axis {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
}

export interface FlightSpan {
  readonly from: string;
  readonly to: string;
}

const monthStart = (ms: number, months: number): number => {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};

/** At most so far from today: one flight in ten years would make a line of all others. */
const monthsAround = 11;

/** Whole months that hold the flights and today. */
export const axisOf = (spans: readonly FlightSpan[], nowMs: number): Axis => {
  const [least, most] = [monthStart(nowMs, -monthsAround), monthStart(nowMs, monthsAround)];
  const from = Math.min(nowMs, ...spans.map((span) => Date.parse(span.from)).filter((ms) => ms >= least));
  const to = Math.max(nowMs, ...spans.map((span) => Date.parse(span.to)).filter((ms) => ms <= most));
  return { fromMs: monthStart(from, 0), toMs: monthStart(to, 1), nowMs };
};

const placeOf = ({ fromMs, toMs }: Axis, ms: number): number =>
  Math.max(0, Math.min(100, ((ms - fromMs) / (toMs - fromMs)) * 100));

const monthNames = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });
const todayName = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Of the axis, in percent: names that would lie on each other are left out, and today stays whole at its ends. */
const leastGap = 17;
const halfToday = 19;

/** Months, and today. */
export const AxisHead = ({ axis }: { readonly axis: Axis }) => {
  const now = Math.max(halfToday, Math.min(100 - halfToday, placeOf(axis, axis.nowMs)));
  const months: { readonly ms: number; readonly at: number }[] = [];
  for (let ms = axis.fromMs; ms < axis.toMs; ms = monthStart(ms, 1)) {
    const at = placeOf(axis, ms);
    const isFree =
      at - (months.at(-1)?.at ?? -leastGap) >= leastGap && (at + leastGap < now - halfToday || at > now + halfToday);
    if (isFree && at <= 88) months.push({ ms, at });
  }
  return (
    <span class="axis-head" aria-hidden="true">
      {months.map(({ ms, at }) => (
        <i key={ms} style={{ left: `${at}%` }}>
          {monthNames.format(ms)}
        </i>
      ))}
      <b style={{ left: `${now}%` }}>{todayName.format(axis.nowMs)}</b>
    </span>
  );
};

export interface FlightBarProps extends FlightSpan {
  readonly axis: Axis;
  /** Delivered, of 1. */
  readonly part: number;
  readonly look: "waits" | "planned" | "runs" | "done" | "over";
}

/** A flight on the axis of its table, with what is delivered of it. The row's text says the same in words. */
export const FlightOnAxis = ({ axis, from, to, part, look }: FlightBarProps) => {
  const [start, end] = [placeOf(axis, Date.parse(from)), placeOf(axis, Date.parse(to) + dayMs)];
  return (
    <span class="flight-bar" aria-hidden="true">
      <u style={{ left: `${placeOf(axis, axis.nowMs)}%` }} />
      <i class={look} style={{ left: `${start}%`, width: `${Math.max(1.2, end - start)}%` }}>
        {look === "runs" ? <em style={{ width: `${Math.min(1, part) * 100}%` }} /> : null}
      </i>
    </span>
  );
};
