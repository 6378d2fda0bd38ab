export interface Fall {
  readonly name: string;
  readonly note: string;
  /** Less than nothing: taken off. */
  readonly by: number;
  readonly side: "us" | "them";
}

interface WaterfallProps {
  readonly from: { readonly name: string; readonly note: string; readonly at: number };
  readonly falls: readonly Fall[];
  readonly to: { readonly name: string; readonly note: string; readonly at: number };
  readonly floor: number | null;
  readonly text: (amount: number) => string;
}

/** From a first price to a last one, each step with its amount. The figures beside the bars say it all. */
export const Waterfall = ({ from, falls, to, floor, text }: WaterfallProps) => {
  const most = Math.max(from.at, to.at, ...falls.map(({ by }) => Math.abs(by)));
  const percent = (amount: number): string => `${Math.max(0, (amount / most) * 100).toFixed(2)}%`;
  let at = from.at;
  const steps = falls.map((fall) => {
    const before = at;
    at += fall.by;
    return { ...fall, left: Math.min(before, at), width: Math.abs(fall.by) };
  });
  const floorLine = floor === null ? null : <u style={{ left: percent(floor) }} />;
  return (
    <ul class="waterfall">
      <li>
        <span>
          <b>{from.name}</b> <small>{from.note}</small>
        </span>
        <span class="fall">
          {floorLine}
          <i class="whole" style={{ left: "0", width: percent(from.at) }} />
        </span>
        <b>{text(from.at)}</b>
      </li>
      {steps.map(({ name, note, by, side, left, width }) => (
        <li key={name}>
          <span>
            <b>{name}</b> <small>{note}</small>
          </span>
          <span class="fall">
            {floorLine}
            <i class={side} style={{ left: percent(left), width: percent(width) }} />
          </span>
          <span>
            {by < 0 ? "−" : "+"}
            {text(Math.abs(by))}
          </span>
        </li>
      ))}
      <li>
        <span>
          <b>{to.name}</b> <small>{to.note}</small>
        </span>
        <span class="fall">
          {floorLine}
          <i class="paid" style={{ left: "0", width: percent(to.at) }} />
        </span>
        <b>{text(to.at)}</b>
      </li>
    </ul>
  );
};
