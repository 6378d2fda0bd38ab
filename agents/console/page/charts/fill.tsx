import { count, day, share, shortCount } from "../form.ts";

export interface Week {
  readonly date: string;
  readonly held: number | null;
  /** 0 on days past, whatever was held. */
  readonly left: number | null;
  readonly cap: number | null;
}

/** Of the cap, of 1; null: no cap. */
export const fillOf = ({ held, cap }: Week): number | null =>
  held === null || cap === null ? null : cap === 0 ? 1 : held / cap;

const steps = [0, 0.01, 0.25, 0.5, 0.7, 0.9, 1] as const;

/** 0 is nothing held, 6 full. */
const stepOf = (fill: number): number => steps.filter((step) => fill >= step).length - 1;

export const nearlyFull = 0.9;

const textOf = (fill: number): string => (fill >= 1 ? "F" : fill >= 0.7 ? String(Math.round(fill * 100)) : "");

interface FillRowProps {
  readonly name: string;
  readonly weeks: readonly Week[];
  readonly nowMs: number;
  /** The date of the week that is looked at. */
  readonly open?: string | null | undefined;
  readonly linkTo?: (date: string) => string;
}

const wordsOf = (week: Week): string => {
  const fill = fillOf(week);
  return fill === null
    ? `Week of ${day(week.date)}: ${count(week.held)} held, no cap`
    : `Week of ${day(week.date)}: ${share(fill)} held on its fullest day, ${shortCount(week.left)} left`;
};

const weekMs = 7 * 86_400_000;

/** A week a cell, filled by what is held of the cap on its fullest day. */
export const FillRow = ({ name, weeks, nowMs, open, linkTo }: FillRowProps) => {
  const most = Math.max(1, ...weeks.map(({ held }) => held ?? 0));
  return (
    <span class="fill-row" role={linkTo === undefined ? "img" : "group"} aria-label={fullWords(name, weeks)}>
      {weeks.map((week) => {
        const fill = fillOf(week);
        const isPast = Date.parse(week.date) + weekMs <= nowMs;
        const classes = `${fill === null ? "free" : `f${stepOf(fill)}`}${isPast ? " past" : ""}`;
        const inside =
          fill === null ? <i style={{ height: `${((week.held ?? 0) / most) * 100}%` }} /> : <span>{textOf(fill)}</span>;
        return linkTo === undefined ? (
          <span key={week.date} class={classes} title={wordsOf(week)}>
            {inside}
          </span>
        ) : (
          <a
            key={week.date}
            class={classes}
            href={linkTo(week.date)}
            title={wordsOf(week)}
            aria-label={`${name}, ${wordsOf(week)}`}
            aria-current={open === week.date ? "true" : undefined}
          >
            {inside}
          </a>
        );
      })}
    </span>
  );
};

const fullWords = (name: string, weeks: readonly Week[]): string => {
  const full = weeks.filter((week) => (fillOf(week) ?? 0) >= nearlyFull).length;
  return `${name}: ${full} of ${weeks.length} weeks are at least ${share(nearlyFull)} held.`;
};

export const FillLegend = () => (
  <p class="fill-legend muted small" aria-hidden="true">
    Fill
    {(["0", "1–24", "25–49", "50–69", "70–89", "90–99", "full"] as const).map((text, step) => (
      <span key={text}>
        <i class={`f${step}`} /> {text}
      </span>
    ))}
    <span>
      <i class="free" /> no cap, bars are volume
    </span>
  </p>
);
