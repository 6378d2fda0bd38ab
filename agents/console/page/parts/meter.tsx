const percent = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.max(0, Math.min(100, (part / whole) * 100));

/** A bar for a part of a whole; a part above it is marked. */
export const Meter = ({
  part,
  whole,
  name,
}: {
  readonly part: number;
  readonly whole: number;
  readonly name: string;
}) => (
  <span
    class={part > whole ? "meter over" : "meter"}
    role="meter"
    aria-label={name}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={Math.round(percent(part, whole))}
  >
    <i style={{ width: `${percent(part, whole)}%` }} />
  </span>
);
