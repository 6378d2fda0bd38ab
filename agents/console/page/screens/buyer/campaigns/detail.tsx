import { screenOf } from "../../../address.ts";
import * as buyer from "../../../agent/buyer.generated.ts";
import { FlightPlot } from "../../../charts/flight-plot.tsx";
import { flight, money, plain, plural, roundMoney, spoken } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Card, Chip } from "../../../parts/bits.tsx";
import { Page } from "../../../parts/page.tsx";
import { Shown } from "../../../parts/states.tsx";
import { usePoll } from "../../../agent/poll.ts";
import { useRead } from "../../../agent/read.ts";
import { canWrite } from "../../../agent/session.ts";
import { toneOf } from "../../../words.ts";
import { useSellerNames } from "../seller-names.ts";
import { Booked } from "./booked.tsx";
import { Foot, useChosen } from "./choosing.tsx";
import { channelName, currency, isBooked, isLive, type Job, type Line, linesOf, sumOf, waitsForSeller } from "./job.ts";
import { LineTable } from "./lines.tsx";
import { Budget, ByChannel, Sellers, Steps, Words } from "./overview.tsx";
import { jobWords, stateOf } from "./words.ts";

const Runs = ({ lines }: { readonly lines: readonly Line[] }) => {
  const bars = lines.flatMap((line) =>
    line.flight_start === null || line.flight_end === null
      ? []
      : [{ row: channelName(plain(line.channel)), from: line.flight_start, to: line.flight_end, amount: line.cost }],
  );
  const spans = new Map<string, number>();
  for (const { row, from, to, amount } of bars) {
    const key = `${row} ${from} ${to}`;
    spans.set(key, sumOf([spans.get(key) ?? 0, amount]));
  }
  const joined = bars
    .filter(
      (bar, at) => bars.findIndex((one) => one.row === bar.row && one.from === bar.from && one.to === bar.to) === at,
    )
    .map((bar) => ({ ...bar, amount: spans.get(`${bar.row} ${bar.from} ${bar.to}`) ?? bar.amount }));
  if (joined.length === 0) return null;
  const sentence = joined
    .map(({ row, from, to, amount }) => `${row}, ${flight(from, to)}: ${roundMoney(amount, currency)}`)
    .join(". ");
  return (
    <Card title="When it runs" note="bar height is spend a day">
      <FlightPlot bars={joined} sentence={sentence} />
    </Card>
  );
};

const hasFreeMoney = ({ status, totals }: Job): boolean =>
  (status === "completed" || status === "failed") && totals.unspent >= 1;

/** Once its booking has started, the buyer refuses to cancel a job; its lines are cancelled one by one. */
const canCancel = ({ status, steps }: Job): boolean =>
  ["pending", "running", "awaiting_approval"].includes(status) && !steps.some(({ name }) => name === "booking");

const Moves = ({ job, again }: { readonly job: Job; readonly again: () => void }) => {
  return (
    <p class="row">
      {hasFreeMoney(job) ? (
        <Act
          op={buyer.replanBooking}
          input={{ job_id: job.job_id }}
          label="Plan the rest again"
          question={`${money(job.totals.unspent, currency)} is offered anew within the brief. New lines wait for you.`}
          after={again}
        />
      ) : null}
      {canCancel(job) ? (
        <Act
          op={buyer.cancelBooking}
          input={{ job_id: job.job_id }}
          label="Cancel the campaign"
          tone="danger"
          question={`Nothing is booked and the brief ends. A new one can be sent.`}
          after={again}
        />
      ) : null}
    </p>
  );
};

const lostOf = (job: Job): number =>
  (job.booked_lines ?? []).filter((line) => !isBooked(line) && line.cancellation === null).length;

const pollMs = 1500;

const isMoving = (job: Job | null): boolean =>
  job !== null && (job.status === "pending" || job.status === "running" || waitsForSeller(job));

export const CampaignPage = ({ id }: { readonly id: string }) => {
  const read = useRead(buyer.getBooking, { job_id: id }, [""]);
  const job = read.output;
  const sellerOf = useSellerNames();
  usePoll(isMoving(job), read.again, pollMs);
  const { waiting, chosen, toggle, choose } = useChosen(job);
  const flights = job === null ? [] : ((job.brief["flights"] as readonly unknown[] | undefined) ?? []);
  const isDeciding = waiting.length > 0;
  return (
    <>
      <Page
        title={job === null ? "Campaign" : plain(job.campaign_name)}
        back={{ href: screenOf("campaigns"), label: "All campaigns" }}
        chips={
          job === null ? undefined : (
            <>
              <Chip tone={toneOf(stateOf(job))}>{jobWords(stateOf(job))}</Chip>
              {lostOf(job) === 0 ? null : <Chip tone="bad">{plural(lostOf(job), "line")} lost</Chip>}
              {flights.length > 1 ? <Chip>{plural(flights.length, "flight")}</Chip> : null}
              <Chip>{plural(job.sellers.length, "seller")} asked</Chip>
            </>
          )
        }
        note={job === null ? undefined : spoken(job.status_text, 300)}
      >
        <Shown read={read}>
          {(shown) => {
            const lines = isDeciding
              ? linesOf(shown).filter((line) => chosen.has(line.recommendation_id) || line.booking === "booked")
              : linesOf(shown).filter(isLive);
            return (
              <>
                <Steps job={shown} />
                <Moves job={shown} again={read.again} />
                <div class="pair">
                  <Budget
                    job={shown}
                    lines={lines}
                    label={
                      isDeciding ? "Chosen" : lines.every(({ booking }) => booking === "booked") ? "Booked" : "Planned"
                    }
                  />
                  <ByChannel job={shown} lines={lines} />
                </div>
                <Runs lines={lines} />
                {linesOf(shown).length === 0 ? null : (
                  <Card
                    title={isDeciding && canWrite() ? "Choose what to book" : "Lines"}
                    note="ranked by score; each line says why"
                  >
                    <LineTable lines={linesOf(shown)} picking={isDeciding && canWrite() ? { chosen, toggle } : null} />
                  </Card>
                )}
                <Booked job={shown} sellerOf={sellerOf} again={read.again} />
                <Words job={shown} />
                <Sellers job={shown} sellerOf={sellerOf} />
              </>
            );
          }}
        </Shown>
      </Page>
      {job !== null && isDeciding && canWrite() ? (
        <Foot job={job} waiting={waiting} chosen={chosen} choose={choose} again={read.again} />
      ) : null}
    </>
  );
};
