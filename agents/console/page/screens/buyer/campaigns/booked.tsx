import { useState } from "preact/hooks";
import * as buyer from "../../../agent/buyer.generated.ts";
import { count, flight, money, plain, spoken } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Card, Facts } from "../../../parts/bits.tsx";
import { Copyable } from "../../../parts/copy.tsx";
import { Field } from "../../../parts/field.tsx";
import type { SellerOf } from "../seller-names.ts";
import { type BookedLine, currency, isBooked, type Job } from "./job.ts";

const Cancel = ({ job, line, again }: { job: Job; line: BookedLine; again: () => void }) => {
  const [reason, setReason] = useState("");
  if (!isBooked(line)) return null;
  if (line.cancellation !== null && line.cancellation.state !== "refused") return null;
  return (
    <Act
      op={buyer.cancelBookedLine}
      input={{ job_id: job.job_id, line_id: line.deal_id, reason }}
      label="Ask to cancel"
      tone="danger"
      question={`The seller is asked to cancel ${plain(line.product_name)}, ${money(line.cost, currency)}. It decides.`}
      after={again}
    >
      <Field label="Reason, the seller may read it" value={reason} onInput={setReason} maxLength={500} />
    </Act>
  );
};

interface BookedProps {
  readonly job: Job;
  readonly line: BookedLine;
  /** Its name. */
  readonly seller: string;
  readonly again: () => void;
}

const BookedCard = ({ job, line, seller, again }: BookedProps) => (
  <Card title={plain(line.product_name)} note={money(line.cost, currency)}>
    <p>{spoken(line.status_text, 400)}</p>
    <p class="muted">{spoken(line.next_step, 400)}</p>
    <Facts
      rows={[
        { name: "Deal", value: line.deal_id, isCode: true },
        line.order_id === null ? null : { name: "Order", value: line.order_id, isCode: true },
        { name: "Flight", value: flight(line.flight_start, line.flight_end) },
        { name: "Volume", value: `${count(line.impressions)} at ${money(line.cpm, currency)}` },
        { name: "Seller", value: seller },
      ]}
    />
    {Object.keys(line.activation).length === 0 ? null : (
      <details>
        <summary>Activation in a buying platform</summary>
        {Object.entries(line.activation).map(([platform, text]) => (
          <Copyable key={platform} name={plain(platform)} text={plain(text, 2000)} />
        ))}
      </details>
    )}
    <Cancel job={job} line={line} again={again} />
  </Card>
);

interface ListProps extends Pick<BookedProps, "job" | "again"> {
  readonly sellerOf: SellerOf;
}

const Lines = ({
  title,
  lines,
  job,
  sellerOf,
  again,
}: ListProps & { readonly title: string; readonly lines: readonly BookedLine[] }) => {
  if (lines.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <div class="columns spaced">
        {lines.map((line) => (
          <BookedCard
            key={line.recommendation_id}
            job={job}
            line={line}
            seller={sellerOf(line.seller_url)}
            again={again}
          />
        ))}
      </div>
    </section>
  );
};

export const Booked = (props: ListProps) => {
  const lines = props.job.booked_lines ?? [];
  return (
    <>
      <Lines {...props} title="Booked" lines={lines.filter(isBooked)} />
      <Lines {...props} title="No longer booked" lines={lines.filter((line) => !isBooked(line))} />
    </>
  );
};
