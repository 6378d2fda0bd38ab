export interface Mark {
  readonly name: string;
  readonly at: number;
  readonly text: string;
}

/** Their figure is a hollow dot above the line, ours a filled one; the fixed prices are ticks below. */
export interface RulerProps {
  readonly fixed: readonly Mark[];
  readonly theirs: Mark | null;
  readonly ours: Mark | null;
  readonly band: readonly [number, number] | null;
}

const edge = 4;
const narrowest = 22;

const scaleOf = (values: readonly number[]): ((value: number) => number) => {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const width = most - least;
  return (value) => (width === 0 ? 50 : edge + ((value - least) / width) * (100 - 2 * edge));
};

interface Placed extends Mark {
  readonly left: number;
  readonly line: 0 | 1;
}

/** Labels that would touch take turns on two lines. */
const placed = (fixed: readonly Mark[], scale: (value: number) => number): readonly Placed[] => {
  const marks: Placed[] = [];
  for (const mark of fixed.toSorted((one, other) => one.at - other.at)) {
    const left = scale(mark.at);
    const before = marks.at(-1);
    const isNear = before !== undefined && left - before.left < narrowest && before.line === 0;
    marks.push({ ...mark, left, line: isNear ? 1 : 0 });
  }
  return marks;
};

const percent = (value: number): string => `${value.toFixed(2)}%`;

const sideOf = (left: number): string => (left < 15 ? "start" : left > 85 ? "end" : "middle");

const Dot = ({ mark, left, kind }: { readonly mark: Mark; readonly left: number; readonly kind: "them" | "us" }) => (
  <span class={`ruler-dot ${kind} ${sideOf(left)}`} style={{ left: percent(left) }}>
    <b>
      {mark.name} {mark.text}
    </b>
  </span>
);

export const Ruler = ({ fixed, theirs, ours, band }: RulerProps) => {
  const marks = [...fixed, theirs, ours].filter((mark) => mark !== null);
  if (marks.length < 2) return null;
  const scale = scaleOf(marks.map(({ at }) => at));
  const sentence = marks.map(({ name, text }) => `${name} ${text}`).join(", ");
  const ticks = placed(fixed, scale);
  const isTall = ticks.some(({ line }) => line === 1);
  return (
    <div class={`ruler${isTall ? " tall" : ""}${ours === null ? "" : " both"}`} role="img" aria-label={sentence}>
      <span class="ruler-line" />
      {band === null ? null : (
        <span
          class="ruler-band"
          style={{ left: percent(scale(band[0])), width: percent(Math.max(0, scale(band[1]) - scale(band[0]))) }}
        />
      )}
      {ticks.map(({ name, text, left, line }) => (
        <span key={name} class={`ruler-tick line-${line} ${sideOf(left)}`} style={{ left: percent(left) }}>
          <span>{name}</span>
          <b>{text}</b>
        </span>
      ))}
      {theirs === null ? null : <Dot mark={theirs} left={scale(theirs.at)} kind="them" />}
      {ours === null ? null : <Dot mark={ours} left={scale(ours.at)} kind="us" />}
    </div>
  );
};
