import type { OutputOf } from "../../agent/api.ts";
import * as buyer from "../../agent/buyer.generated.ts";
import { plain } from "../../form.ts";
import { Act } from "../../parts/act.tsx";
import { Chip } from "../../parts/bits.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { wordOf } from "../../words.ts";

type Seller = OutputOf<typeof buyer.listSellers>["sellers"][number];

const stateOf = (seller: Seller) => {
  if (seller.needs_reauth) return <Chip tone="warn">refuses our key</Chip>;
  return <Chip tone={seller.reachable ? "ok" : "bad"}>{seller.reachable ? "answers" : "does not answer"}</Chip>;
};

export const SellersScreen = () => {
  const read = useRead(buyer.listSellers, {}, []);
  return (
    <Page title="Sellers" note="The sellers that a brief asks.">
      <Shown read={read}>
        {({ sellers: rows }) =>
          rows.length === 0 ? (
            <Empty title="No seller.">
              Whoever runs this agent names them as <code>SELLER_ENDPOINTS</code> and starts it again.
            </Empty>
          ) : (
            <Table<Seller>
              caption="Sellers"
              rows={rows}
              idOf={({ url }) => url}
              columns={[
                { name: "Seller", isLead: true, cell: ({ name, url }) => plain(name ?? url) },
                { name: "Address", cell: ({ url }) => plain(url, 200) },
                { name: "State", cell: stateOf },
                { name: "Speaks", cell: ({ protocols }) => plain(protocols.join(", ")) },
                {
                  name: "Our tier",
                  cell: ({ tier, adcp_version: adcp }) => plain(tier ?? (adcp == null ? "not said" : "none in AdCP")),
                },
                { name: "Trust", cell: ({ trust_level: trust }) => wordOf({}, plain(trust)) },
                { name: "Key", cell: ({ key_hint: hint }) => (hint === null ? "none" : <code>{plain(hint)}</code>) },
                { name: "Trouble", cell: ({ last_error: error }) => plain(error ?? "", 200) },
                {
                  name: "Change",
                  isAct: true,
                  cell: ({ url, key_hint: hint, adcp_version: adcp }) =>
                    hint === null || adcp != null ? (
                      ""
                    ) : (
                      <Act
                        op={buyer.rotateSellerKey}
                        input={{ seller_url: url }}
                        label="Replace the key"
                        question={`${plain(url, 200)} gives a new key and the old one is revoked there.`}
                        after={read.again}
                      />
                    ),
                },
              ]}
            />
          )
        }
      </Shown>
    </Page>
  );
};
