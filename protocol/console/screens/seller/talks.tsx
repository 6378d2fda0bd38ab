import type { OutputOf } from "../../agent/api.ts";
import { screenOf, useAddress } from "../../address.ts";
import { nowMs } from "../../clock.ts";
import { ago, moment, plain, plainLines, plural } from "../../form.ts";
import { seller } from "../../agent/operations.ts";
import { Card, Chip } from "../../parts/bits.tsx";
import { Page } from "../../parts/page.tsx";
import { Rows } from "../../parts/rows.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import type { Column } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { toneOf, wordOf } from "../../words.ts";
import type { Screen, ScreenProps } from "../screen.ts";
import { Handovers } from "./handovers.tsx";

type Listed = OutputOf<typeof seller.listSessions>["sessions"][number];

const columns: readonly Column<Listed>[] = [
  { name: "Buyer", isLead: true, cell: (talk) => plain(talk.buyer_name ?? talk.buyer_pricing_key) },
  { name: "Stage", cell: (talk) => wordOf({}, talk.negotiation_stage) },
  { name: "Messages", isNumber: true, cell: (talk) => talk.message_count },
  { name: "Status", cell: (talk) => <Chip tone={toneOf(talk.status)}>{wordOf({}, talk.status)}</Chip> },
  { name: "Last word", cell: (talk) => ago(talk.updated_at, nowMs.value) },
];

const TalkList = () => {
  const { query } = useAddress();
  const { cursor } = query;
  const read = useRead(seller.listSessions, { limit: 50, cursor }, ["session."]);
  return (
    <Page title="Talks" note="Buyers that ask for a person, and conversations in sessions, word for word.">
      <Handovers />
      <Rows
        read={read}
        rowsOf={(page) => page.sessions}
        caption="Talks"
        columns={columns}
        idOf={(talk) => talk.session_id}
        link={(talk) => screenOf("talks", talk.session_id)}
        empty={<Empty title="No session yet.">A conversation that a buyer holds in a session is listed here.</Empty>}
      />
      <p class="muted small">
        Of conversations outside of sessions, over A2A or through an assistant, you see what came of them: quotes, price
        talks, deals and changes, and what a buyer says when it asks for a person. Their words are kept for the buyer
        alone.
      </p>
    </Page>
  );
};

type Message = OutputOf<typeof seller.getSession>["messages"][number];

const Sentence = ({ message }: { readonly message: Message }) => (
  <li class={message.role === "user" ? "theirs" : "ours"}>
    <p class="muted small">
      {message.role === "user" ? "They wrote" : "You answered"}, {moment(message.timestamp)}
    </p>
    <p class="said">{plainLines(message.content, 4000)}</p>
    {message.message_type == null ? null : <Chip>understood as {wordOf({}, message.message_type)}</Chip>}
  </li>
);

const TalkPage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getSession, { session_id: id }, ["session."]);
  const talk = read.output;
  return (
    <Page
      title={talk === null ? "Talk" : `Talk with ${plain(talk.buyer_name ?? talk.buyer_pricing_key)}`}
      back={{ href: screenOf("talks"), label: "All talks" }}
      chips={
        talk === null ? undefined : (
          <>
            <Chip tone={toneOf(talk.status)}>{wordOf({}, talk.status)}</Chip>
            <Chip>{wordOf({}, talk.negotiation.stage)}</Chip>
          </>
        )
      }
    >
      <Shown read={read}>
        {(shown) => (
          <>
            <Handovers session={id} />
            <Card title="What was said" note={plural(shown.messages.length, "message")}>
              <ol class="transcript">
                {shown.messages.map((message, at) => (
                  <Sentence key={at} message={message} />
                ))}
              </ol>
            </Card>
          </>
        )}
      </Shown>
    </Page>
  );
};

const TalksScreen = ({ id }: ScreenProps) => (id === null ? <TalkList /> : <TalkPage key={id} id={id} />);

const useWaiting = (): number | null =>
  useRead(seller.listHandovers, { open: true, limit: 1 }, ["handover."], false).output?.total ?? null;

export const talks: Screen = {
  path: "talks",
  label: "Talks",
  key: "t",
  hasRows: true,
  component: TalksScreen,
  useBadge: useWaiting,
};
