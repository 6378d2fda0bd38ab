import type { OutputOf } from "../../agent/api.ts";
import { screenOf, useAddress } from "../../address.ts";
import { nowMs } from "../../clock.ts";
import { ago, buyerName, count, day, moment, plain, plainLines, plural } from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { Card, Chip } from "../../parts/bits.tsx";
import { Page } from "../../parts/page.tsx";
import { Rows } from "../../parts/rows.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import type { Column } from "../../parts/table.tsx";
import { usePoll } from "../../agent/poll.ts";
import { useRead } from "../../agent/read.ts";
import { wordOf } from "../../words.ts";
import type { ScreenProps } from "../screen.ts";
import { Handovers } from "./handovers.tsx";
import { TryTalk } from "./try-talk.tsx";

type Listed = OutputOf<typeof seller.listConversations>["conversations"][number];

/** What is said over A2A has no event. */
const pollMs = 5000;

const whose = ({ buyer, buyer_name: name }: Pick<Listed, "buyer" | "buyer_name">): string => buyerName(name, buyer);

/** In the place of an id, which a conversation's is not. */
const tryOut = "try";

const columns: readonly Column<Listed>[] = [
  { name: "Buyer", isLead: true, cell: whose },
  { name: "Messages", isNumber: true, cell: (talk) => talk.message_count },
  { name: "Options taken", isNumber: true, cell: (talk) => talk.agreed_count },
  { name: "Last word", cell: (talk) => ago(talk.updated_at, nowMs.value) },
];

const TalkList = () => {
  const { query } = useAddress();
  const { cursor } = query;
  const read = useRead(seller.listConversations, { limit: 50, cursor });
  usePoll(true, read.again, pollMs);
  return (
    <Page title="Talks" note="Buyers that ask for a person, and what was said over A2A and in sessions, word for word.">
      <p class="row">
        <a class="button small" href={screenOf("talks", tryOut)}>
          Try your seller as a buyer
        </a>
      </p>
      <Handovers />
      <Rows
        read={read}
        rowsOf={(page) => page.conversations}
        caption="Talks"
        columns={columns}
        idOf={(talk) => talk.conversation_id}
        link={(talk) => screenOf("talks", talk.conversation_id)}
        empty={<Empty title="No conversation yet.">What a buyer or its agent says in words is listed here.</Empty>}
      />
      <p class="muted small">
        Conversations are kept for seven days. What an assistant over MCP says in a session is here too; the tools that
        it calls stand in the audit.
      </p>
    </Page>
  );
};

type Exchange = OutputOf<typeof seller.getConversation>["exchanges"][number];
type Offer = Exchange["shown"][number];

const amountWords: Readonly<Record<string, string>> = {
  buyer_price: "CPM",
  price: "CPM",
  impressions: "impressions",
  flight_start: "from",
  flight_end: "to",
  new_flight_start: "from",
  new_flight_end: "to",
};

/** Ids and the action are said already, by the kind and the id before them. */
const changeText = ({ change }: Offer): string =>
  Object.entries(change ?? {})
    .filter(([field, value]) => value != null && !/(^|_)(id|action|type)$/.test(field))
    .map(([field, value]) => {
      const shown =
        typeof value === "number"
          ? count(value)
          : plain(typeof value === "string" ? value : JSON.stringify(value), 200);
      return `${wordOf(amountWords, plain(field))} ${/^\d{4}-\d\d-\d\d$/.test(shown) ? day(shown) : shown}`;
    })
    .join(", ");

const kindWords: Readonly<Record<string, string>> = { counter: "bid", change: "change", cancellation: "cancellation" };

const OfferLine = ({ offer, word }: { readonly offer: Offer; readonly word: string }) => (
  <p class="small">
    {word}: {wordOf(kindWords, offer.kind)}
    {changeText(offer) === "" ? null : <b> {changeText(offer)}</b>} <code>{plain(offer.id)}</code>
    {offer.digest === null ? null : (
      <span class="muted">
        , terms <code>{plain(offer.digest)}</code>
      </span>
    )}
  </p>
);

const agreedWords: Readonly<Record<string, string>> = {
  yes: "Taken with a yes",
  order: "Asked for in words",
  id: "Asked for by its id",
  option: "Taken by its digest",
  number: "Taken by its number",
  all: "Taken with all",
};

const Said = ({ exchange }: { readonly exchange: Exchange }) => (
  <>
    <li class="theirs">
      <p class="muted small">They wrote, {moment(exchange.at)}</p>
      <p class="said">{plainLines(exchange.said, 4000)}</p>
      {exchange.agreed.map((offer) => (
        <OfferLine key={offer.id} offer={offer} word={wordOf(agreedWords, offer.by)} />
      ))}
    </li>
    <li class="ours">
      <p class="muted small">You answered</p>
      <p class="said">{plainLines(exchange.answered, 4000)}</p>
      {exchange.shown.map((offer) => (
        <OfferLine key={offer.id} offer={offer} word="Shown to be agreed to" />
      ))}
      {exchange.understood.map(({ skill, outcome }, at) => (
        <Chip key={at}>{wordOf({}, skill === null ? outcome : `${skill}: ${outcome}`)}</Chip>
      ))}
    </li>
  </>
);

const TalkPage = ({ id }: { readonly id: string }) => {
  const { query } = useAddress();
  const { cursor } = query;
  const read = useRead(seller.getConversation, { conversation_id: id, limit: 100, cursor });
  usePoll(true, read.again, pollMs);
  const talk = read.output;
  return (
    <Page
      title={talk === null ? "Talk" : `Talk with ${whose(talk)}`}
      back={{ href: screenOf("talks"), label: "All talks" }}
      chips={talk === null ? undefined : <Chip>{plural(talk.agreed_count, "option")} taken</Chip>}
    >
      <Shown read={read}>
        {({ exchanges, message_count: count, next_cursor: next }) => (
          <>
            <Handovers conversation={id} />
            <Card title="What was said" note={plural(count, "message")}>
              <ol class="transcript">
                {exchanges.map((exchange, at) => (
                  <Said key={at} exchange={exchange} />
                ))}
              </ol>
              {next === null ? null : <a href={`${screenOf("talks", id)}?cursor=${next}`}>What was said then</a>}
            </Card>
          </>
        )}
      </Shown>
    </Page>
  );
};

export const TalksScreen = ({ id }: ScreenProps) =>
  id === null ? <TalkList /> : id === tryOut ? <TryTalk /> : <TalkPage key={id} id={id} />;
