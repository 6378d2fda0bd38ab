import type { OutputOf } from "../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../address.ts";
import { nowMs } from "../../clock.ts";
import { ago, count, moment, money, plain, plural, roundMoney, spoken } from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { Card, Chip, Facts } from "../../parts/bits.tsx";
import { Filter, Page } from "../../parts/page.tsx";
import { Rows } from "../../parts/rows.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { statusWords, toneOf, wordOf } from "../../words.ts";
import type { ScreenProps } from "../screen.ts";

type Buy = OutputOf<typeof seller.getMediaBuy>;
type Bought = Buy["packages"][number];

const statuses = [
  "submitted",
  "pending_creatives",
  "pending_start",
  "active",
  "paused",
  "completed",
  "canceled",
  "rejected",
] as const;

const changing = ["media_buy.", "order.", "creative."];

const word = (status: string): string => wordOf(statusWords, status);

const State = ({ status }: { readonly status: string }) => <Chip tone={toneOf(status)}>{word(status)}</Chip>;

const columns: readonly Column<Buy>[] = [
  { name: "Brand", isLead: true, cell: (buy) => plain(buy.brand_domain) },
  { name: "For", cell: (buy) => plain(buy.account.name) },
  { name: "Budget", isNumber: true, cell: (buy) => roundMoney(buy.total_budget, buy.currency) },
  { name: "Packages", isNumber: true, cell: (buy) => count(buy.packages.length) },
  { name: "State", cell: (buy) => <State status={buy.status} /> },
  { name: "Begins", cell: (buy) => moment(buy.start_time) },
  { name: "Made", cell: (buy) => ago(buy.created_at, nowMs.value) },
];

const BuyList = () => {
  const { query } = useAddress();
  const status = oneOf(statuses, query["status"]);
  const { cursor } = query;
  const input = { statuses: status === null ? null : [status], cursor, limit: 50 };
  const read = useRead(seller.listMediaBuys, input, changing);
  return (
    <Page title="Media buys" note="Each package is a deal with its order.">
      <Filter name="status" label="State" values={statuses} wordOf={word} />
      <Rows
        read={read}
        rowsOf={(page) => page.media_buys}
        caption="Media buys"
        columns={columns}
        idOf={(buy) => buy.media_buy_id}
        link={(buy) => screenOf("media-buys", buy.media_buy_id)}
        empty={<Empty title="No media buy.">Buyer agents make them over AdCP.</Empty>}
      />
    </Page>
  );
};

const stateOf = ({ canceled_at: canceledAt, paused }: Bought): string =>
  canceledAt === null ? (paused ? "Paused" : "Booked") : "Cancelled";

const Packages = ({ buy }: { readonly buy: Buy }) => {
  const { output } = useRead(seller.listProducts, { limit: 200 }, ["product."], false);
  const nameOf = ({ product_id: id }: Bought): string =>
    plain(output?.products.find((product) => product.product_id === id)?.name ?? id);
  return (
    <Table<Bought>
      caption="Packages"
      rows={buy.packages}
      idOf={(bought) => bought.package_id}
      columns={[
        { name: "Product", isLead: true, cell: nameOf },
        { name: "Type", cell: (bought) => plain(bought.deal_type) },
        { name: "Price", isNumber: true, cell: (bought) => money(bought.price, bought.currency) },
        { name: "Budget", isNumber: true, cell: (bought) => roundMoney(bought.budget, bought.currency) },
        { name: "Impressions", isNumber: true, cell: (bought) => count(bought.impressions) },
        { name: "Creatives", isNumber: true, cell: (bought) => count(bought.creative_ids.length) },
        { name: "State", cell: (bought) => (buy.confirmed_at === null ? "Not booked" : stateOf(bought)) },
        {
          name: "Order",
          cell: (bought) =>
            buy.confirmed_at === null ? (
              "none yet"
            ) : (
              <a href={screenOf("orders", bought.package_id)}>{bought.package_id}</a>
            ),
        },
      ]}
    />
  );
};

const Delivered = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.reportMediaBuys, { media_buy_ids: [id], limit: 1 }, []);
  return (
    <Shown read={read} lines={2}>
      {({ media_buys: [buy] }) =>
        buy === undefined || buy.data_source === "none" ? (
          <p class="muted">Nothing was reported yet.</p>
        ) : (
          <Facts
            rows={[
              { name: "Impressions", value: count(buy.impressions) },
              { name: "Clicks", value: buy.clicks === null ? "-" : count(buy.clicks) },
              { name: "Spend", value: buy.spend === null ? "-" : money(buy.spend, buy.currency) },
              { name: "Reported by", value: plain(buy.data_source) },
            ]}
          />
        )
      }
    </Shown>
  );
};

const History = ({ buy }: { readonly buy: Buy }) => (
  <Table<Buy["history"][number]>
    caption="What happened"
    rows={buy.history.toReversed()}
    idOf={(move) => String(move.revision)}
    columns={[
      { name: "When", isLead: true, cell: (move) => moment(move.timestamp) },
      { name: "What", cell: (move) => plain(move.summary) },
      { name: "Who", cell: (move) => plain(move.actor) },
    ]}
  />
);

const BuyPage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getMediaBuy, { media_buy_id: id }, changing);
  const buy = read.output;
  return (
    <Page
      title={buy === null ? `Media buy ${plain(id)}` : `Media buy for ${plain(buy.brand_domain)}`}
      back={{ href: screenOf("media-buys"), label: "All media buys" }}
      chips={buy === null ? undefined : <State status={buy.status} />}
      note={buy === null ? undefined : spoken(buy.status_text, 300)}
    >
      <Shown read={read}>
        {(shown) => (
          <>
            <Card title="Packages" note={plural(shown.packages.length, "package")}>
              <Packages buy={shown} />
            </Card>
            <div class="columns">
              <Card title="What it is">
                <Facts
                  rows={[
                    { name: "For", value: plain(shown.account.name) },
                    { name: "Budget", value: money(shown.total_budget, shown.currency) },
                    { name: "Runs", value: `${moment(shown.start_time)} to ${moment(shown.end_time)}` },
                    { name: "Media buy", value: shown.media_buy_id, isCode: true },
                  ]}
                />
              </Card>
              <Card title="Delivered in the last 35 days">
                <Delivered id={id} />
              </Card>
            </div>
            <Card title="What happened">
              <History buy={shown} />
            </Card>
          </>
        )}
      </Shown>
    </Page>
  );
};

export const MediaBuysScreen = ({ id }: ScreenProps) => (id === null ? <BuyList /> : <BuyPage key={id} id={id} />);
