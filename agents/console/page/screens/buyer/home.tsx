import { screenOf } from "../../address.ts";
import * as buyer from "../../agent/buyer.generated.ts";
import { nowMs } from "../../clock.ts";
import { duration, plain, plural, roundMoney } from "../../form.ts";
import { Card, Chip } from "../../parts/bits.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { useRead } from "../../agent/read.ts";
import { DayActivity } from "../day-activity.tsx";
import { useNeedy } from "./campaigns/needy.ts";
import { Latest } from "../latest.tsx";

const Waiting = () => {
  const { waiting, hurt } = useNeedy();
  return (
    <Shown read={waiting}>
      {({ jobs, total }) =>
        total + hurt.length === 0 ? (
          <Empty title="No campaign waits for you.">
            A <a href={screenOf("campaigns", "new")}>new brief</a> asks the sellers.
          </Empty>
        ) : (
          <div class="tiles">
            {hurt.map((job) => (
              <a key={job.job_id} class="tile bad" href={screenOf("campaigns", job.job_id)}>
                <span class="strong">{plain(job.campaign_name)}</span>
                <Chip tone="bad">{plural(job.lost?.lines ?? 0, "line")} lost</Chip>
                <span>{roundMoney(job.lost?.cost, "USD")} taken back by sellers or run out</span>
                <span class="muted small">Plan the rest again, or let it be</span>
              </a>
            ))}
            {jobs.map((job) => (
              <a key={job.job_id} class="tile act" href={screenOf("campaigns", job.job_id)}>
                <span class="strong">{plain(job.campaign_name)}</span>
                <Chip tone="warn">needs you</Chip>
                <span class="muted">{roundMoney(job.budget, "USD")}</span>
                <span class="muted small">
                  {job.waiting_since == null
                    ? ""
                    : `waits for ${duration(nowMs.value - Date.parse(job.waiting_since))}`}
                </span>
              </a>
            ))}
            {total > jobs.length ? <a href={screenOf("campaigns?status=awaiting_approval")}>All {total}</a> : null}
          </div>
        )
      }
    </Shown>
  );
};

const Activity = () => {
  const read = useRead(buyer.getActivity, { step: "day", by: "seller" }, ["deal."]);
  return (
    <Card title="Deals and value by day" note="the last 30 days, UTC">
      <Shown read={read}>
        {({ points, totals, groups }) => (
          <DayActivity points={points} totals={totals} more={{ name: "Sellers", value: String(groups.length) }} />
        )}
      </Shown>
    </Card>
  );
};

const useTitle = (): string => {
  const { waiting, hurt } = useNeedy();
  if (waiting.output === null) return "Home";
  const total = waiting.output.total + hurt.length;
  return total === 0 ? "Nothing needs you" : `${plural(total, "campaign needs", "campaigns need")} you`;
};

export const HomeScreen = () => (
  <Page title={useTitle()}>
    <Waiting />
    <Activity />
    <Latest read={useRead(buyer.listEvents, { limit: 8 }, [""])} first="The first brief appears here." />
  </Page>
);
