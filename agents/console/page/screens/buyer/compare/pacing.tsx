import { screenOf } from "../../../address.ts";
import type { OutputOf } from "../../../agent/api.ts";
import * as buyer from "../../../agent/buyer.generated.ts";
import { useRead } from "../../../agent/read.ts";
import { moment, plain, plural, roundMoney, shortCount } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Card } from "../../../parts/bits.tsx";
import { Shown } from "../../../parts/states.tsx";
import { type BookedLine, channelName, currency, isBooked, type Job, sumOf } from "../campaigns/job.ts";
import type { SellerOf } from "../seller-names.ts";

type Delivery = OutputOf<typeof buyer.getBookingDelivery>;
type Paced = Delivery["total"];

const deliveredPart = (amount: number, whole: number): number => (whole <= 0 ? 0 : Math.min(1, amount / whole));

const pointsOf = ({ delivered_impressions: shown, planned_impressions: planned, booked_impressions: all }: Paced) =>
  shown === null || all === 0 ? null : Math.round(((shown - planned) / all) * 100);

const behind = -5;

const Points = ({ of }: { readonly of: Paced }) => {
  const points = pointsOf(of);
  if (points === null) return <>not counted</>;
  const look = points <= behind ? "warn-text strong" : points > 0 ? "ok-text" : "muted";
  return <span class={look}>{`${points > 0 ? "+" : ""}${plural(points, "point")}`}</span>;
};

const PacedRow = ({ name, of, isSum = false }: { name: string; of: Paced; isSum?: boolean }) => {
  const part = deliveredPart(of.delivered_impressions ?? 0, of.booked_impressions);
  const plan = deliveredPart(of.planned_impressions, of.booked_impressions);
  return (
    <tr class={isSum ? "strong" : ""}>
      <th scope="row">{name}</th>
      <td class="number" data-name="Booked">
        {roundMoney(of.chosen, currency)}
      </td>
      <td class="number strong" data-name="Spent">
        {of.spent === null ? "not told" : roundMoney(of.spent, currency)}
      </td>
      <td class="number muted" data-name="Delivered">
        {of.delivered_impressions === null ? "none" : shortCount(of.delivered_impressions)} of{" "}
        {shortCount(of.booked_impressions)}
      </td>
      <td class="pace-cell">
        {isSum ? null : (
          <span
            class="pace"
            role="img"
            aria-label={`${Math.round(part * 100)} % delivered, ${Math.round(plan * 100)} % by plan`}
          >
            <i style={{ width: `${part * 100}%` }} />
            <u style={{ left: `${plan * 100}%` }} />
          </span>
        )}
      </td>
      <td class="number" data-name="Against plan">
        <Points of={of} />
      </td>
      <td class="number" data-name="Left">
        {roundMoney(sumOf([of.chosen, -(of.spent ?? 0)]), currency)}
      </td>
    </tr>
  );
};

const lostIn = (job: Job): readonly BookedLine[] =>
  (job.booked_lines ?? []).filter((line) => !isBooked(line) && line.cancellation === null);

interface PacingProps {
  readonly job: Job;
  readonly sellerOf: SellerOf;
  readonly again: () => void;
}

const LostLines = ({ job, sellerOf, again }: PacingProps) => {
  const lost = lostIn(job);
  const [line] = lost;
  if (line === undefined) return null;
  return (
    <div class="lost-lines">
      <p>
        <b class="error">{plural(lost.length, "line")} lost</b> {plain(line.product_name)} at{" "}
        {sellerOf(line.seller_url)}
        {lost.length > 1 ? ` and ${lost.length - 1} more` : ""}.{" "}
        <b>{roundMoney(sumOf(lost.map(({ cost }) => cost)), currency)}</b> and{" "}
        {shortCount(lost.reduce((sum, { impressions }) => sum + impressions, 0))} impressions need a new place.
      </p>
      <p class="row">
        <a class="button small" href={screenOf("campaigns", job.job_id)}>
          See why
        </a>
        {job.totals.unspent >= 1 && job.status !== "running" ? (
          <Act
            op={buyer.replanBooking}
            input={{ job_id: job.job_id }}
            label="Plan the rest again"
            question={
              `${roundMoney(job.totals.unspent, currency)} is offered anew within the brief. ` +
              "New lines wait for you."
            }
            after={again}
          />
        ) : null}
      </p>
    </div>
  );
};

const heads = ["Booked", "Spent", "Delivered", "", "Against plan", "Left"] as const;

/** What the sellers have delivered of what is booked, beside an even plan. */
export const Pacing = (props: PacingProps) => {
  const read = useRead(buyer.getBookingDelivery, { job_id: props.job.job_id });
  return (
    <Shown read={read}>
      {({ channels, total, lines, as_of: at }) => {
        const silent = lines.filter(({ error }) => error !== null);
        return (
          <Card title="Pacing" note={`to ${moment(at)}; the line is where an even plan would be`}>
            {lines.length === 0 ? null : (
              <table class="table pacing">
                <caption class="unseen">Delivery against plan</caption>
                <thead>
                  <tr>
                    <th scope="col">Channel</th>
                    {heads.map((head) => (
                      <th key={head} scope="col" class="number">
                        {head === "" ? <span class="unseen">Bar</span> : head}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {channels.map((of) => (
                    <PacedRow key={of.channel} name={channelName(plain(of.channel))} of={of} />
                  ))}
                  <PacedRow name="All" of={total} isSum />
                </tbody>
              </table>
            )}
            {silent.length === 0 ? null : (
              <p class="notice warn">
                {plural(silent.length, "line")} of {props.sellerOf(silent[0]?.seller_url ?? "")} could not be read:{" "}
                {plain(silent[0]?.error, 200)}
              </p>
            )}
            <LostLines {...props} />
          </Card>
        );
      }}
    </Shown>
  );
};
