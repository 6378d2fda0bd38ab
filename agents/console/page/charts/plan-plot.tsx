import { ticks } from "d3-array";
import { day as dayText, shortCount } from "../form.ts";
import { useWidth } from "./measured.ts";

const dayMs = 86_400_000;
const height = 210;
const edges = { top: 14, right: 56, bottom: 26, left: 48 };

export interface PlanProps {
  readonly from: string;
  readonly to: string;
  readonly booked: number;
  readonly days: readonly { readonly date: string; readonly impressions: number }[];
  readonly nowMs: number;
  /** What it should come to at the pace of the last days; null: it does not run. */
  readonly expected: number | null;
}

interface Place {
  readonly ms: number;
  readonly sum: number;
}

/** What was delivered by the end of each day, from nothing on the first. */
const sumsOf = ({ from, days, nowMs }: PlanProps): readonly Place[] => {
  const places: Place[] = [{ ms: Date.parse(from), sum: 0 }];
  let sum = 0;
  for (const { date, impressions } of days.toSorted((one, other) => one.date.localeCompare(other.date))) {
    sum += impressions;
    places.push({ ms: Math.min(nowMs, Date.parse(date) + dayMs), sum });
  }
  return places;
};

const anchors = ["start", "middle", "end"] as const;

const dayMark = (ms: number, at: number, x: number) => (
  <text key={at} class="axis" x={x} y={height - 6} text-anchor={anchors[at] ?? "middle"}>
    {dayText(new Date(ms).toISOString())}
  </text>
);

const PlanDrawing = (props: PlanProps & { readonly width: number }) => {
  const { from, to, booked, nowMs, expected, width } = props;
  const [start, end] = [Date.parse(from), Date.parse(to) + dayMs];
  const sums = sumsOf(props);
  const last = sums.at(-1) ?? { ms: start, sum: 0 };
  const most = Math.max(booked, last.sum, expected ?? 0);
  const right = width - edges.right;
  const bottom = height - edges.bottom;
  const x = (ms: number): number =>
    edges.left + ((Math.max(start, Math.min(end, ms)) - start) / (end - start)) * (right - edges.left);
  const y = (sum: number): number => edges.top + (1 - sum / most) * (bottom - edges.top);
  const path = sums.map(({ ms, sum }, at) => `${at === 0 ? "M" : "L"}${x(ms)},${y(sum)}`).join("");
  const isRunning = nowMs > start && nowMs < end;
  const marks = [start, start + (end - start) / 2, end - dayMs];
  return (
    <svg width={width} height={height} role="presentation">
      {ticks(0, most, 4).map((value) => (
        <g key={value} class="grid">
          <line x1={edges.left} x2={right} y1={y(value)} y2={y(value)} />
          <text x={edges.left - 8} y={y(value)} dy="0.32em" text-anchor="end">
            {shortCount(value)}
          </text>
        </g>
      ))}
      <line class="plan" x1={x(start)} y1={y(0)} x2={x(end)} y2={y(booked)} />
      <path class="filled" d={`${path}L${x(last.ms)},${bottom}L${x(start)},${bottom}Z`} />
      <g class="side-us">
        <path d={path} />
        {expected === null || !isRunning ? null : (
          <path class="expected" d={`M${x(last.ms)},${y(last.sum)}L${x(end)},${y(expected)}`} />
        )}
        {last.sum > 0 ? <circle cx={x(last.ms)} cy={y(last.sum)} r="4" /> : null}
      </g>
      {isRunning ? <line class="now" x1={x(nowMs)} x2={x(nowMs)} y1={edges.top} y2={bottom} /> : null}
      <text class="last" x={right + 6} y={y(booked)} dy="0.32em">
        Plan
      </text>
      {expected === null || !isRunning || Math.abs(y(expected) - y(booked)) < 12 ? null : (
        <text class="ours" x={right + 6} y={y(expected)} dy="0.32em">
          {shortCount(expected)}
        </text>
      )}
      {marks.map((ms, at) => dayMark(ms, at, x(ms)))}
    </svg>
  );
};

/** What is delivered against an even plan over the flight. */
export const PlanPlot = (props: PlanProps & { readonly sentence: string }) => {
  const [box, width] = useWidth();
  return (
    <div ref={box} class="plot" role="img" aria-label={props.sentence} style={{ height: `${height}px` }}>
      {width > 0 ? <PlanDrawing {...props} width={width} /> : null}
    </div>
  );
};
