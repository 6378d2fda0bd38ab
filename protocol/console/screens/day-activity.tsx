import { DayPlot } from "../charts/day-plot.tsx";
import { day, moneyOf, roundMoney } from "../form.ts";
import { Figure, Figures } from "../parts/bits.tsx";

interface Sums {
  readonly deals: number;
  readonly values: Readonly<Record<string, number>>;
}

export interface DayActivityProps {
  readonly points: readonly (Sums & { readonly at: string })[];
  readonly totals: Sums & { readonly lost: number };
  /** The agent's own third figure. */
  readonly more: { readonly name: string; readonly value: string };
}

/** Deals and value by day, in the first of the currencies. */
export const DayActivity = ({ points, totals, more }: DayActivityProps) => {
  const [currency = "USD"] = Object.keys(totals.values);
  return (
    <>
      <Figures>
        <Figure name="Deals" value={String(totals.deals)} note={`${totals.lost} lost since`} />
        <Figure name="Value" value={moneyOf(totals.values)} />
        <Figure {...more} />
      </Figures>
      <DayPlot
        points={points.map(({ at, deals, values }) => ({ day: at, line: deals, bar: values[currency] ?? 0 }))}
        lineName="deals"
        barText={(value) => roundMoney(value, currency)}
        dayText={day}
      />
    </>
  );
};
