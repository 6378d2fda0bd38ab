import { ticks } from "d3-array";
import { useWidth } from "./measured.ts";

export interface Point {
  readonly name: string;
  readonly us: number | null;
  readonly them: number | null;
}

interface Line {
  readonly name: string;
  readonly at: number;
}

const height = 220;
const margin = { top: 14, right: 64, bottom: 28, left: 44 };

interface Scale {
  readonly x: (at: number) => number;
  readonly y: (price: number) => number;
  readonly right: number;
}

const scaleOf = (points: number, prices: readonly number[], width: number): Scale => {
  const least = Math.min(...prices);
  const span = Math.max(...prices) - least || 1;
  const right = width - margin.right;
  const step = points < 2 ? 0 : (right - margin.left - 20) / (points - 1);
  return {
    right,
    x: (at) => margin.left + 10 + at * step,
    y: (price) => margin.top + (1 - (price - least) / span) * (height - margin.top - margin.bottom - 10),
  };
};

const Side = ({ points, side, scale }: { points: readonly Point[]; side: "us" | "them"; scale: Scale }) => {
  const dots = points.flatMap((point, at) => (point[side] === null ? [] : [{ at, price: point[side] }]));
  const path = dots
    .map(({ at, price }, first) => `${first === 0 ? "M" : "L"}${scale.x(at)},${scale.y(price)}`)
    .join("");
  return (
    <g class={`side-${side}`}>
      <path d={path} />
      {dots.map(({ at, price }) => (
        <circle key={at} cx={scale.x(at)} cy={scale.y(price)} r="4" />
      ))}
    </g>
  );
};

/** Labels nearer than this would lie on each other. */
const labelHeight = 14;

const Drawing = ({ points, floor, text, width }: CurveProps & { readonly width: number }) => {
  const prices = points.flatMap(({ us, them }) => [us, them]).filter((price) => price !== null);
  const all = floor === null ? prices : [...prices, floor.at];
  const scale = scaleOf(points.length, all, width);
  const last = points.at(-1);
  const shown = last?.them ?? last?.us ?? null;
  const isBesideFloor = shown !== null && floor !== null && Math.abs(scale.y(shown) - scale.y(floor.at)) < labelHeight;
  return (
    <svg width={width} height={height} role="presentation">
      {ticks(Math.min(...all), Math.max(...all), 3).map((price) => (
        <g key={price} class="grid">
          <line x1={margin.left} x2={scale.right} y1={scale.y(price)} y2={scale.y(price)} />
          <text x={margin.left - 8} y={scale.y(price)} dy="0.32em" text-anchor="end">
            {price}
          </text>
        </g>
      ))}
      {floor === null ? null : (
        <g class="floor">
          <line x1={margin.left} x2={scale.right} y1={scale.y(floor.at)} y2={scale.y(floor.at)} />
          <text x={scale.right + 8} y={scale.y(floor.at)} dy={isBesideFloor ? "1.6em" : "0.32em"}>
            {floor.name}
          </text>
        </g>
      )}
      {points.map(({ name }, at) => (
        <text key={name} class="axis" x={scale.x(at)} y={height - 6} text-anchor="middle">
          {name}
        </text>
      ))}
      <Side points={points} side="us" scale={scale} />
      <Side points={points} side="them" scale={scale} />
      {shown === null ? null : (
        <text class="last" x={scale.x(points.length - 1) + 9} y={scale.y(shown)} dy="0.32em">
          {text(shown)}
        </text>
      )}
    </svg>
  );
};

export interface CurveProps {
  readonly points: readonly Point[];
  readonly floor: Line | null;
  readonly text: (price: number) => string;
}

const sentenceOf = ({ points, text }: CurveProps): string =>
  `Price by round. ${points
    .map(({ name, us, them }) => {
      const sides = [them === null ? null : `they ${text(them)}`, us === null ? null : `you ${text(us)}`];
      return `${name}: ${sides.filter((side) => side !== null).join(", ")}`;
    })
    .join(". ")}`;

/** Both sides' price by round. */
export const PriceCurve = (props: CurveProps) => {
  const [box, width] = useWidth();
  return (
    <div ref={box} class="plot" role="img" aria-label={sentenceOf(props)} style={{ height: `${height}px` }}>
      {width > 0 ? <Drawing {...props} width={width} /> : null}
    </div>
  );
};
