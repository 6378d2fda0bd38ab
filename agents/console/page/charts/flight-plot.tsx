import { useWidth } from "./measured.ts";

export interface FlightBar {
  readonly row: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

const dayMs = 86_400_000;
const rowHeight = 34;
const margin = { top: 6, bottom: 24, left: 130, right: 8 };
const narrowLeft = 92;
const thickest = 22;

const months = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: "UTC" });

/** The first day of each month from the one that holds `fromMs`. */
const monthsBetween = (fromMs: number, toMs: number): readonly number[] => {
  const first = new Date(fromMs);
  const starts: number[] = [];
  for (let at = 0; at < 240; at += 1) {
    const ms = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + at, 1);
    if (ms > toMs) break;
    starts.push(Math.max(ms, fromMs));
  }
  return starts;
};

const daysOf = ({ from, to }: FlightBar): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

const Drawing = ({ bars, width }: { readonly bars: readonly FlightBar[]; readonly width: number }) => {
  const rows = [...new Set(bars.map(({ row }) => row))];
  const fromMs = Math.min(...bars.map(({ from }) => Date.parse(from)));
  const toMs = Math.max(...bars.map(({ to }) => Date.parse(to))) + dayMs;
  const left = width < 480 ? narrowLeft : margin.left;
  const x = (ms: number): number => left + ((ms - fromMs) / (toMs - fromMs)) * (width - left - margin.right);
  const most = Math.max(...bars.map((bar) => bar.amount / daysOf(bar)));
  const height = margin.top + rows.length * rowHeight + margin.bottom;
  const each = Math.max(1, Math.ceil(monthsBetween(fromMs, toMs - dayMs).length / 12));
  return (
    <svg width={width} height={height} role="presentation">
      {monthsBetween(fromMs, toMs - dayMs)
        .filter((_ms, at) => at % each === 0)
        .map((ms) => (
          <g key={ms} class="grid">
            <line x1={x(ms)} x2={x(ms)} y1={margin.top} y2={height - margin.bottom} />
            <text x={x(ms) + 4} y={height - 8}>
              {months.format(ms)}
            </text>
          </g>
        ))}
      {rows.map((row, at) => (
        <text key={row} class="last" x={0} y={margin.top + at * rowHeight + rowHeight / 2} dy="0.32em">
          {row.length > 18 ? `${row.slice(0, 17)}…` : row}
        </text>
      ))}
      {bars.map((bar, at) => {
        const thickness = Math.max(3, (bar.amount / daysOf(bar) / most) * thickest);
        const middle = margin.top + rows.indexOf(bar.row) * rowHeight + rowHeight / 2;
        return (
          <rect
            key={at}
            class="bar"
            x={x(Date.parse(bar.from))}
            width={Math.max(2, x(Date.parse(bar.to) + dayMs) - x(Date.parse(bar.from)))}
            y={middle - thickness / 2}
            height={thickness}
            rx={2}
          />
        );
      })}
    </svg>
  );
};

/** When each row runs; a bar is as high as its spend a day. */
export const FlightPlot = ({ bars, sentence }: { readonly bars: readonly FlightBar[]; readonly sentence: string }) => {
  const [box, width] = useWidth();
  return (
    <div ref={box} class="plot" role="img" aria-label={sentence}>
      {width > 0 && bars.length > 0 ? <Drawing bars={bars} width={width} /> : null}
    </div>
  );
};
