import { isoDayIn, screenOf, useAddress } from "../../address.ts";
import { session } from "../../agent/session.ts";
import { day, flight, plain } from "../../form.ts";
import { Page } from "../../parts/page.tsx";
import { lastDays, Report, spansFrom } from "./home/report.tsx";

const weekDays = 7;
const dayMs = 86_400_000;

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** One page of a week, on screen and on paper. */
export const WeekScreen = () => {
  const { query } = useAddress();
  const latest = lastDays(weekDays);
  const from = isoDayIn(query["from"]);
  const isReal = from !== undefined && !Number.isNaN(Date.parse(from));
  const { now, before } = isReal ? spansFrom(from, weekDays) : latest;
  const linkTo = (days: number): string => `${screenOf("week")}?from=${shifted(now.from, days)}`;
  return (
    <Page
      title={`Week of ${flight(now.from, now.to)}`}
      note={`${plain(session.value?.organization_name)}, as of ${day(latest.now.to)}, days in UTC`}
    >
      <p class="row">
        <a class="button small" href={linkTo(-weekDays)}>
          Week before
        </a>
        {now.to >= latest.now.to ? null : (
          <a class="button small" href={linkTo(weekDays)}>
            Week after
          </a>
        )}
        <button type="button" class="button small" onClick={() => window.print()}>
          Print
        </button>
      </p>
      <Report now={now} before={before} />
    </Page>
  );
};
