import type { OutputOf } from "../../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../../address.ts";
import { PriceCurve } from "../../../charts/price-curve.tsx";
import { nowMs } from "../../../clock.ts";
import { buyerName, ago, change, left, money, plain, plural, shortCount } from "../../../form.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { Card, Chip, Facts } from "../../../parts/bits.tsx";
import { MachineStates } from "../../../parts/machine.tsx";
import { Filter, Page } from "../../../parts/page.tsx";
import { Rows } from "../../../parts/rows.tsx";
import { Empty, Shown } from "../../../parts/states.tsx";
import { type Column, Table } from "../../../parts/table.tsx";
import { useRead } from "../../../agent/read.ts";
import { statusWords, toneOf, wordOf } from "../../../words.ts";
import type { ScreenProps } from "../../screen.ts";
import { WhatIf } from "./what-if.tsx";

type Talk = OutputOf<typeof seller.listNegotiations>["negotiations"][number];

const statuses = ["active", "accepted", "rejected", "expired"] as const;

const subjectOf = (talk: Talk): string => talk.proposal_id ?? talk.quote_id ?? talk.negotiation_id;

const columns: readonly Column<Talk>[] = [
  { name: "Buyer", isLead: true, cell: (talk) => buyerName(talk.buyer_name, talk.buyer) },
  { name: "Product", cell: (talk) => plain(talk.product_name) },
  { name: "They", isNumber: true, cell: (talk) => money(talk.last_buyer_price, talk.currency) },
  { name: "You", isNumber: true, cell: (talk) => money(talk.last_seller_price, talk.currency) },
  { name: "Gap", isNumber: true, cell: (talk) => money(talk.gap, talk.currency) },
  { name: "Volume", isNumber: true, cell: (talk) => shortCount(talk.impressions) },
  { name: "Rounds left", isNumber: true, cell: (talk) => talk.rounds_remaining },
  { name: "Status", cell: (talk) => <Chip tone={toneOf(talk.status)}>{wordOf(statusWords, talk.status)}</Chip> },
  { name: "Last word", cell: (talk) => ago(talk.updated_at, nowMs.value) },
];

const TalkList = () => {
  const { query } = useAddress();
  const status = oneOf(statuses, query["status"]);
  const { cursor } = query;
  const read = useRead(seller.listNegotiations, { status: status === null ? null : [status], cursor, limit: 50 }, [
    "negotiation.",
    "approval.",
  ]);
  return (
    <Page title="Price talk" note="Who is bargaining for what, newest first.">
      <Filter name="status" label="Status" values={statuses} wordOf={(value) => wordOf(statusWords, value)} />
      <Rows
        read={read}
        rowsOf={(page) => page.negotiations}
        caption="Price talks"
        columns={columns}
        idOf={(talk) => talk.negotiation_id}
        link={(talk) => screenOf("negotiations", subjectOf(talk))}
        empty={<Empty title="Nobody is bargaining.">A buyer begins with its first offer about a quote.</Empty>}
      />
    </Page>
  );
};

type History = OutputOf<typeof seller.getNegotiation>;
type Round = History["rounds"][number];

const Curve = ({ talk, currency }: { readonly talk: History; readonly currency: string | null }) => (
  <Card
    title="Price by round"
    note={
      <>
        <span class="legend us">You</span> <span class="legend them">Them</span>
      </>
    }
  >
    <PriceCurve
      points={[
        { name: "Quote", us: talk.base_price, them: null },
        ...talk.rounds.map((round) => ({
          name: String(round.round_number),
          us: round.seller_price,
          them: round.buyer_price,
        })),
      ]}
      floor={talk.floor_price == null ? null : { name: "Floor", at: talk.floor_price }}
      text={(price) => money(price, currency)}
    />
    <Table<Round>
      caption="Rounds"
      rows={talk.rounds}
      idOf={(round) => String(round.round_number)}
      columns={[
        { name: "Round", cell: (round) => round.round_number },
        { name: "They", isNumber: true, cell: (round) => money(round.buyer_price, currency) },
        { name: "You", isNumber: true, cell: (round) => money(round.seller_price, currency) },
        { name: "Step", isNumber: true, cell: (round) => change(-round.concession_pct) },
        { name: "Answer", cell: (round) => wordOf(statusWords, round.action) },
        { name: "Their words", cell: (round) => plain(round.buyer_rationale, 400) },
        { name: "Why you", cell: (round) => plain(round.rationale, 400) },
      ]}
    />
  </Card>
);

const TalkPage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getNegotiation, { proposal_id: id }, ["negotiation.", "approval."]);
  const listed = useRead(seller.listNegotiations, { limit: 200 }, ["negotiation."], false);
  const row = listed.output?.negotiations.find((talk) => talk.negotiation_id === read.output?.negotiation_id) ?? null;
  const currency = row?.currency ?? null;
  return (
    <Page
      title={row === null ? "Price talk" : `${buyerName(row.buyer_name, row.buyer)} / ${plain(row.product_name)}`}
      back={{ href: screenOf("negotiations"), label: "All price talk" }}
      chips={
        row === null ? undefined : (
          <>
            <Chip tone={toneOf(row.status)}>{wordOf(statusWords, row.status)}</Chip>
            <Chip>{plural(row.rounds_remaining, "round")} left</Chip>
            {row.status === "active" ? <Chip>{left(row.expires_at, nowMs.value)}</Chip> : null}
          </>
        )
      }
    >
      <Shown read={read}>
        {(talk) => (
          <>
            {row?.approval_id == null ? null : (
              <p class="notice warn">
                The last offer waits for a person. <a href={screenOf("approvals", row.approval_id)}>Decide it</a>
              </p>
            )}
            <Curve talk={talk} currency={currency} />
            {talk.status === "active" ? <WhatIf id={talk.negotiation_id} currency={currency} /> : null}
            <div class="columns">
              <Card title="Terms">
                <Facts
                  rows={[
                    { name: "Price talk", value: talk.negotiation_id, isCode: true },
                    { name: "About", value: id, isCode: true },
                    { name: "Tier", value: talk.buyer_tier },
                    { name: "Quoted at", value: money(talk.base_price, currency) },
                    talk.floor_price == null ? null : { name: "Floor", value: money(talk.floor_price, currency) },
                    talk.strategy == null ? null : { name: "Strategy", value: wordOf({}, talk.strategy) },
                    { name: "Rounds", value: `${talk.total_rounds} of ${talk.max_rounds ?? "any number"}` },
                    { name: "Began", value: ago(talk.started_at, nowMs.value) },
                  ]}
                />
              </Card>
              <Card title="State">
                <MachineStates kind="negotiation" state={talk.status} />
              </Card>
            </div>
          </>
        )}
      </Shown>
    </Page>
  );
};

export const NegotiationsScreen = ({ id }: ScreenProps) => (id === null ? <TalkList /> : <TalkPage key={id} id={id} />);
