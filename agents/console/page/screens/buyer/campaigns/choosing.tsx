import { useState } from "preact/hooks";
import { isReached } from "../../../agent/api.ts";
import * as buyer from "../../../agent/buyer.generated.ts";
import { money, plural } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { currency, type Job, type Line, sumOf, waitingLines } from "./job.ts";
import { holdsUntil } from "./overview.tsx";

interface Choosing {
  readonly job: Job;
  readonly waiting: readonly Line[];
  readonly chosen: ReadonlySet<string>;
  readonly choose: (ids: readonly string[]) => void;
  readonly again: () => void;
}

/** The running total of what is chosen, and the button that books it. */
export const Foot = ({ job, waiting, chosen, choose, again }: Choosing) => {
  const lines = waiting.filter(({ recommendation_id: id }) => chosen.has(id));
  const total = sumOf(lines.map(({ cost }) => cost));
  const room = sumOf([job.budget, -job.totals.booked, -job.totals.unconfirmed]);
  const over = sumOf([total, -room]);
  const isAll = lines.length === waiting.length;
  const terms = `${plural(lines.length, "line")} for ${money(total, currency)} of ${money(job.budget, currency)}`;
  const rest = isAll ? "" : ` The other ${plural(waiting.length - lines.length, "line")} is rejected.`;
  return (
    <div class="booking-foot">
      <p class="row">
        {over > 0 ? (
          <button type="button" class="button primary" disabled>
            {money(over, currency)} over the budget
          </button>
        ) : lines.length === 0 ? null : (
          <Act
            op={buyer.approveBooking}
            input={{ job_id: job.job_id, recommendation_ids: lines.map(({ recommendation_id: id }) => id) }}
            label={`Book ${lines.length} of ${waiting.length} lines`}
            verb="Yes, book"
            look="primary"
            question={`${terms}. Deals bind.${rest}`}
            after={again}
          />
        )}
        <button
          type="button"
          class="button"
          disabled={!isReached.value}
          onClick={() => choose(isAll ? [] : waiting.map(({ recommendation_id: id }) => id))}
        >
          {isAll ? "Clear" : "Choose all"}
        </button>
      </p>
      <p>
        <b>{money(total, currency)}</b>{" "}
        <span class="muted">
          of {money(job.budget, currency)}
          {holdsUntil(lines)}
        </span>
      </p>
    </div>
  );
};

/** Null until somebody picks: everything that fits is proposed. */
export const useChosen = (job: Job | null) => {
  const [picked, setPicked] = useState<readonly string[] | null>(null);
  const waiting = job === null ? [] : waitingLines(job);
  const all = waiting.map(({ recommendation_id: id }) => id);
  const chosen = new Set((picked ?? all).filter((id) => all.includes(id)));
  const toggle = (id: string): void =>
    setPicked(chosen.has(id) ? [...chosen].filter((other) => other !== id) : [...chosen, id]);
  return { waiting, chosen, toggle, choose: setPicked };
};
