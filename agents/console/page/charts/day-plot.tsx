import { ticks } from "d3-array";
import { dayOfYear } from "../form.ts";
import { useWidth } from "./measured.ts";

export interface DayPoint {
  readonly day: string;
  readonly line: number;
  readonly bar: number;
}

export interface DayPlotProps {
  readonly points: readonly DayPoint[];
  readonly lineName: string;
  readonly barName: string;
  readonly barText: (value: number) => string;
  readonly dayText: (day: string) => string;
}

/** Of a day under the plot. */
const halfLabel = 24;

const height = 160;
const margin = { top: 10, right: 12, bottom: 24, left: 64 };

interface AxisProps {
  readonly points: readonly DayPoint[];
  readonly middleOf: (at: number) => number;
  readonly width: number;
}

/** The first, the middle and the last day. */
const DayAxis = ({ points, middleOf, width }: AxisProps) => {
  const shown = points.length === 0 ? [] : [...new Set([0, Math.floor(points.length / 2), points.length - 1])];
  return (
    <>
      {shown.map((at) => (
        <text
          key={at}
          class="axis"
          x={middleOf(at)}
          y={height - 6}
          text-anchor={width - middleOf(at) < halfLabel ? "end" : "middle"}
        >
          {dayOfYear(points[at]?.day)}
        </text>
      ))}
    </>
  );
};

const Drawing = ({ points, barText, width }: DayPlotProps & { readonly width: number }) => {
  const most = Math.max(1, ...points.map(({ bar }) => bar));
  const marks = ticks(0, most, 3);
  // The line above the highest bar is drawn too, so that its value can be read.
  const mostBar = Math.max(most, (marks.at(-1) ?? 0) + ((marks.at(-1) ?? 0) < most ? (marks[1] ?? 0) : 0));
  const mostLine = Math.max(1, ...points.map(({ line }) => line));
  const inner = height - margin.top - margin.bottom;
  const step = (width - margin.left - margin.right) / Math.max(1, points.length);
  const x = (at: number): number => margin.left + at * step;
  const y = (part: number): number => margin.top + (1 - part) * inner;
  const path = points
    .map(({ line }, at) => `${at === 0 ? "M" : "L"}${x(at) + step / 2},${y(line / mostLine)}`)
    .join("");
  return (
    <svg width={width} height={height} role="presentation">
      {ticks(0, mostBar, 3).map((value) => (
        <g key={value} class="grid">
          <line x1={margin.left} x2={width - margin.right} y1={y(value / mostBar)} y2={y(value / mostBar)} />
          <text x={margin.left - 8} y={y(value / mostBar)} dy="0.32em" text-anchor="end">
            {barText(value)}
          </text>
        </g>
      ))}
      {points.map(({ day, bar }, at) => (
        <rect
          key={day}
          class="bar"
          x={x(at) + step * 0.15}
          width={Math.max(1, step * 0.7)}
          y={y(bar / mostBar)}
          height={Math.max(0, (bar / mostBar) * inner)}
        />
      ))}
      <g class="side-them">
        <path d={path} />
      </g>
      <DayAxis points={points} middleOf={(at) => x(at) + step / 2} width={width} />
    </svg>
  );
};

/** A bar and a point of the line for each day; the figures are in a table below. */
export const DayPlot = (props: DayPlotProps) => {
  const [box, width] = useWidth();
  const { points, lineName, barName, barText, dayText } = props;
  const busy = points.filter(({ line, bar }) => line > 0 || bar > 0);
  const sentence = busy.map(({ day, line, bar }) => `${dayText(day)}: ${line} ${lineName}, ${barText(bar)}`).join(". ");
  return (
    <>
      <div
        ref={box}
        class="plot"
        role="img"
        aria-label={sentence === "" ? `No ${lineName} in these days.` : sentence}
        style={{ height: `${height}px` }}
      >
        {width > 0 ? <Drawing {...props} width={width} /> : null}
      </div>
      {busy.length === 0 ? null : (
        <p class="plot-key muted small" aria-hidden="true">
          <i class="bar" /> {barName} <i class="line" /> {lineName}
        </p>
      )}
      {busy.length === 0 ? null : (
        <details>
          <summary>Figures by day</summary>
          <ul class="lines">
            {busy.map(({ day, line, bar }) => (
              <li key={day}>
                <span>{dayText(day)}</span>
                <span>
                  {line} {lineName}, {barText(bar)}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};
