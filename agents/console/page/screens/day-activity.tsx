import { DayPlot } from "../charts/day-plot.tsx";
import { day, moneyOf, shortMoney } from "../form.ts";
import { Figure, Figures } from "../parts/bits.tsx";

interface Sums {
  readonly deals: number;
  readonly lost: number;
  readonly standing_values?: Readonly<Record<string, number>> | undefined;
}

export interface DayActivityProps {
  readonly points: readonly (Sums & { readonly at: string })[];
  readonly totals: Sums;
  /** The agent's own third figure; without it the figures stand elsewhere. */
  readonly more?: { readonly name: string; readonly value: string };
}

/** Deals and value by day, in the first of the currencies; a deal that was lost since is in no sum. */
export const DayActivity = ({ points, totals, more }: DayActivityProps) => {
  const [currency = "USD"] = Object.keys(totals.standing_values ?? {});
  return (
    <>
      {more === undefined ? null : (
        <Figures>
          <Figure
            name="Deals"
            value={String(totals.deals - totals.lost)}
            note={totals.lost === 0 ? undefined : `${totals.lost} more lost since`}
          />
          <Figure name="Value" value={moneyOf(totals.standing_values)} />
          <Figure {...more} />
        </Figures>
      )}
      <DayPlot
        points={points.map(({ at, deals, lost, standing_values: values }) => ({
          day: at,
          line: deals - lost,
          bar: values?.[currency] ?? 0,
        }))}
        lineName="deals"
        barName="value"
        barText={(value) => shortMoney(value, currency)}
        dayText={day}
      />
    </>
  );
};
