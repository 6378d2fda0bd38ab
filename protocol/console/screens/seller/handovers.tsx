import { useState } from "preact/hooks";
import type { OutputOf } from "../../agent/api.ts";
import { screenOf } from "../../address.ts";
import { seller } from "../../agent/operations.ts";
import { useRead } from "../../agent/read.ts";
import { nowMs } from "../../clock.ts";
import { ago, plain, plural } from "../../form.ts";
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
      label="Answer"
      look="primary"
      question={`${plain(handover.buyer_name ?? handover.buyer)} reads it with its next message. ${noWayBack}`}
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
  const { session_id: session, deal_id: deal, negotiation_id, proposal_id, quote_id } = handover;
  const talk = negotiation_id === null ? null : (proposal_id ?? quote_id);
  return (
    <>
      {session === null ? null : <a href={screenOf("talks", session)}>The talk</a>}
      {deal === null ? null : <a href={screenOf("deals", deal)}>Its deal</a>}
      {talk === null ? null : <a href={screenOf("negotiations", talk)}>Its price talk</a>}
    </>
  );
};

/** Buyers that wait for a person's answer, the one of a session alone where it is named. */
export const Handovers = ({ session }: { readonly session?: string }) => {
  const read = useRead(seller.listHandovers, { open: true, limit: 200 }, ["handover."], false);
  const open = (read.output?.handovers ?? []).filter((one) => session === undefined || one.session_id === session);
  if (open.length === 0) return null;
  return (
    <Card title="They ask for a person" note={plural(open.length, "buyer")}>
      <ul class="lines">
        {open.map((one) => (
          <li key={one.handover_id}>
            <div>
              <a class="strong" href={screenOf("buyers", one.buyer ?? "")}>
                {plain(one.buyer_name ?? one.buyer)}
              </a>{" "}
              <span class="muted small">{ago(one.asked_at, nowMs.value)}</span>
              <TheyWrote text={one.words} />
              <p class="row spaced">
                <Answer handover={one} again={read.again} />
                <About handover={one} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
};
