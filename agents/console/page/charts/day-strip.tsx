import { count, day as dayText, share, shortCount } from "../form.ts";

export interface HeldDay {
  readonly date: string;
  readonly held: number | null;
  readonly left: number | null;
}

const partOf = ({ held, left }: HeldDay): number => {
  if (held === null || left === null || held + left === 0) return 0;
  return held / (held + left);
};

const monthOf = ({ date }: HeldDay): string => date.slice(0, 7);

const monthName = new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" });

const sentenceOf = (days: readonly HeldDay[]): string => {
  const fullest = days.toSorted((one, other) => partOf(other) - partOf(one))[0];
  if (fullest === undefined || partOf(fullest) === 0) return "Nothing is held.";
  return `Fullest on ${dayText(fullest.date)}: ${share(partOf(fullest))} held, ${shortCount(fullest.left)} left.`;
};

const Month = ({ days }: { readonly days: readonly HeldDay[] }) => {
  const [first] = days;
  if (first === undefined) return null;
  return (
    <div class="month">
      <p class="muted small">{monthName.format(new Date(first.date))}</p>
      <div class="strip" role="img" aria-label={`${monthName.format(new Date(first.date))}. ${sentenceOf(days)}`}>
        {days.map((day) => (
          <span
            key={day.date}
            class={partOf(day) >= 1 ? "full" : ""}
            title={`${dayText(day.date)}: ${count(day.held)} held`}
          >
            <i style={{ height: `${Math.round(partOf(day) * 100)}%` }} />
          </span>
        ))}
      </div>
      <p class="small">{sentenceOf(days)}</p>
    </div>
  );
};

/** A bar a day, filled by what is held; full days are hatched. */
export const DayStrip = ({ days }: { readonly days: readonly HeldDay[] }) => {
  const months = [...new Set(days.map(monthOf))];
  return (
    <div class="months">
      {months.map((month) => (
        <Month key={month} days={days.filter((day) => monthOf(day) === month)} />
      ))}
    </div>
  );
};
