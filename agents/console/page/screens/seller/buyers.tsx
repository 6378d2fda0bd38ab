import type { OutputOf } from "../../agent/api.ts";
import { screenOf, useAddress } from "../../address.ts";
import { nowMs } from "../../clock.ts";
import { buyerName, ago, moneyOf, plural, spoken } from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { Card, Chip, Facts, Figure, Figures } from "../../parts/bits.tsx";
import { Filter, Page } from "../../parts/page.tsx";
import { Search } from "../../parts/search.tsx";
import { Rows } from "../../parts/rows.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import type { Column } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { toneOf, wordOf } from "../../words.ts";
import type { ScreenProps } from "../screen.ts";
import { KeyTable } from "../key-table.tsx";
import { RevokeAll } from "./revoke-all.tsx";
import { NewBuyerKey } from "./buyer-key.tsx";
import { Block, BlockedAgents, Trust } from "./buyer-trust.tsx";

type Listed = OutputOf<typeof seller.listBuyers>["buyers"][number];

const columns: readonly Column<Listed>[] = [
  { name: "Buyer", isLead: true, cell: (buyer) => buyerName(buyer.name, buyer.owner) },
  {
    name: "Identity",
    cell: ({ verified }) => <Chip tone={verified ? "ok" : "warn"}>{verified ? "verified" : "claimed"}</Chip>,
  },
  { name: "Tier", cell: (buyer) => buyer.tier ?? "refused" },
  { name: "Trust", cell: (buyer) => (buyer.trust_status === null ? "no agent" : wordOf({}, buyer.trust_status)) },
  { name: "Deals", isNumber: true, cell: (buyer) => buyer.deals.count - buyer.deals.lost },
  {
    name: "Value",
    isNumber: true,
    cell: ({ deals }) => (deals.count === deals.lost ? "–" : moneyOf(deals.standing_values)),
  },
  { name: "Refused", isNumber: true, cell: (buyer) => buyer.refused },
  { name: "Last seen", cell: (buyer) => (buyer.last_seen === null ? "never" : ago(buyer.last_seen, nowMs.value)) },
];

const BuyerList = () => {
  const { query } = useAddress();
  const { q, verified, cursor } = query;
  const read = useRead(
    seller.listBuyers,
    {
      q,
      verified: verified === undefined ? undefined : verified === "true",
      cursor,
      limit: 50,
    },
    ["api_key.", "agent.", "deal."],
  );
  return (
    <Page
      title="Buyers"
      note="Who holds keys, and what their deals are worth: without those rejected, cancelled or expired."
    >
      <div class="row">
        <NewBuyerKey again={read.again} />
        <Block url={null} again={read.again} />
      </div>
      <Search label="Find a buyer" />
      <Filter
        name="verified"
        label="Identity"
        values={["true", "false"]}
        wordOf={(value) => (value === "true" ? "Verified" : "Claimed")}
      />
      <Rows
        read={read}
        rowsOf={(page) => page.buyers}
        caption="Buyers"
        columns={columns}
        idOf={(buyer) => buyer.owner}
        link={(buyer) => screenOf("buyers", buyer.owner)}
        empty={<Empty title="No buyer.">A buyer appears with its first key.</Empty>}
      />
      <BlockedAgents again={read.again} />
    </Page>
  );
};

const BuyerPage = ({ owner }: { readonly owner: string }) => {
  const read = useRead(seller.getBuyer, { owner }, ["api_key.", "agent.", "deal."]);
  const buyer = read.output;
  return (
    <Page
      title={buyer === null ? "Buyer" : buyerName(buyer.name, buyer.owner)}
      back={{ href: screenOf("buyers"), label: "All buyers" }}
      chips={
        buyer === null ? undefined : (
          <>
            <Chip tone={buyer.verified ? "ok" : "warn"}>{buyer.verified ? "verified" : "claimed"}</Chip>
            {buyer.tier === null ? null : <Chip>{buyer.tier} tier</Chip>}
            {buyer.trust_status === null ? null : (
              <Chip tone={toneOf(buyer.trust_status)}>{wordOf({}, buyer.trust_status)}</Chip>
            )}
          </>
        )
      }
    >
      <Shown read={read}>
        {(shown) => (
          <>
            <Card>
              <Figures>
                <Figure
                  name="Deals"
                  value={String(shown.deals.count - shown.deals.lost)}
                  note={`and ${shown.deals.lost} rejected, cancelled or expired`}
                />
                <Figure name="Value" value={moneyOf(shown.deals.standing_values)} note="without those" />
                <Figure name="Refused" value={String(shown.refused)} note="calls in 7 days" />
              </Figures>
              <a href={`${screenOf("deals")}?buyer=${encodeURIComponent(shown.owner)}`}>Its deals</a>
            </Card>
            <div class="columns">
              <Card title="Who it is">
                <Facts
                  rows={[
                    { name: "Known as", value: shown.owner, isCode: true },
                    shown.names.advertiser === null ? null : { name: "Advertiser", value: shown.names.advertiser },
                    shown.names.agency === null ? null : { name: "Agency", value: shown.names.agency },
                    shown.names.seat === null ? null : { name: "Seat", value: shown.names.seat },
                    shown.agent_url === null ? null : { name: "Agent", value: shown.agent_url },
                    { name: "Why this tier", value: spoken(shown.tier_reason, 300) },
                    { name: "First seen", value: ago(shown.first_seen, nowMs.value) },
                  ]}
                />
              </Card>
              <Card title="Trust in its agent">
                <Trust buyer={shown} again={read.again} />
              </Card>
            </div>
            <Card
              title="Keys"
              note={
                shown.api_keys.length < shown.keys
                  ? `the newest ${shown.api_keys.length} of ${shown.keys}`
                  : plural(shown.keys, "key")
              }
            >
              {shown.agent_url === null ? null : <RevokeAll buyer={shown} after={read.again} />}
              <KeyTable revoke={seller.revokeApiKey} rows={shown.api_keys} again={read.again} />
            </Card>
          </>
        )}
      </Shown>
    </Page>
  );
};

export const BuyersScreen = ({ id }: ScreenProps) => (id === null ? <BuyerList /> : <BuyerPage key={id} owner={id} />);
