import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { OutputOf } from "../../agent/api.ts";
import { screenOf } from "../../address.ts";
import * as seller from "../../agent/seller.generated.ts";
import { useRead } from "../../agent/read.ts";
import { nowMs } from "../../clock.ts";
import { buyerName, ago, plainLines, plural } from "../../form.ts";
import { Act } from "../../parts/act.tsx";
import { Card, TheyWrote } from "../../parts/bits.tsx";
import { TextArea } from "../../parts/field.tsx";

type Handover = OutputOf<typeof seller.listHandovers>["handovers"][number];

const noWayBack = "It books and promises nothing by itself, and cannot be taken back.";

const Answer = ({ handover, again }: { readonly handover: Handover; readonly again: () => void }) => {
  const [text, setText] = useState("");
  return (
    <Act
      op={seller.answerHandover}
      input={text.trim() === "" ? null : { handover_id: handover.handover_id, text: text.trim() }}
      missing="The answer is missing."
      label="Answer"
      look="primary"
      question={`${buyerName(handover.buyer_name, handover.buyer)} reads it with its next message. ${noWayBack}`}
      revisionOf={() => handover.revision}
      again={again}
      after={() => {
        setText("");
        again();
      }}
    >
      <TextArea label="Your answer" value={text} onInput={setText} maxLength={4000} autoFocus />
    </Act>
  );
};

/** What the request is about, as far as a screen shows it. */
const About = ({ handover }: { readonly handover: Handover }) => {
  const { conversation_id: conversation, deal_id: deal, negotiation_id, proposal_id, quote_id } = handover;
  const talk = negotiation_id === null ? null : (proposal_id ?? quote_id);
  return (
    <>
      {conversation == null ? null : <a href={screenOf("talks", conversation)}>The talk</a>}
      {deal === null ? null : <a href={screenOf("deals", deal)}>Its deal</a>}
      {talk === null ? null : <a href={screenOf("negotiations", talk)}>Its price talk</a>}
    </>
  );
};

const Who = ({ handover, at }: { readonly handover: Handover; readonly at: string | null }) => (
  <>
    <a class="strong" href={screenOf("buyers", handover.buyer ?? "")}>
      {buyerName(handover.buyer_name, handover.buyer)}
    </a>{" "}
    <span class="muted small">{ago(at, nowMs.value)}</span>
  </>
);

interface EntryParts {
  readonly handover: Handover;
  readonly at: string | null;
  readonly children: ComponentChildren;
}

const Entry = ({ handover, at, children }: EntryParts) => (
  <li>
    <div>
      <Who handover={handover} at={at} />
      <TheyWrote text={handover.words} />
      {children}
    </div>
  </li>
);

const mostAnswered = 20;

/** The newest answer that each buyer got. */
const Answered = ({ rows }: { readonly rows: readonly Handover[] }) => {
  if (rows.length === 0) return null;
  const sorted = rows.toSorted((one, other) => (other.answered_at ?? "").localeCompare(one.answered_at ?? ""));
  return (
    <Card title="Answered" note={<a href={screenOf("events?type=handover.answered")}>All answers</a>}>
      <ul class="lines">
        {sorted.slice(0, mostAnswered).map((one) => (
          <Entry key={one.handover_id} handover={one} at={one.answered_at}>
            <p class="said">
              <span class="muted small">You answered</span> {plainLines(one.answer ?? "", 4000)}
            </p>
            <p class="row spaced">
              <About handover={one} />
            </p>
          </Entry>
        ))}
      </ul>
    </Card>
  );
};

/** Buyers that wait for a person's answer, and the answers; of one conversation alone where it is named. */
export const Handovers = ({ conversation }: { readonly conversation?: string }) => {
  const read = useRead(seller.listHandovers, { limit: 200 }, ["handover."], false);
  const all = (read.output?.handovers ?? []).filter(
    (one) => conversation === undefined || one.conversation_id === conversation,
  );
  const open = all.filter(({ status }) => status === "open");
  return (
    <>
      {open.length === 0 ? null : (
        <Card title="They ask for a person" note={plural(open.length, "buyer")}>
          <ul class="lines">
            {open.map((one) => (
              <Entry key={one.handover_id} handover={one} at={one.asked_at}>
                <p class="row spaced">
                  <Answer handover={one} again={read.again} />
                  <About handover={one} />
                </p>
              </Entry>
            ))}
          </ul>
        </Card>
      )}
      <Answered rows={all.filter(({ status }) => status === "answered")} />
    </>
  );
};
