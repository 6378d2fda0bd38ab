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
import { AddSeller } from "./add-seller.tsx";

type Seller = OutputOf<typeof buyer.listSellers>["sellers"][number];

const stateOf = (seller: Seller) => {
  if (seller.needs_reauth) return <Chip tone="warn">refuses our key</Chip>;
  return <Chip tone={seller.reachable ? "ok" : "bad"}>{seller.reachable ? "answers" : "does not answer"}</Chip>;
};

const Changes = ({ seller, after }: { readonly seller: Seller; readonly after: () => void }) => {
  const { url, key_hint: hint, adcp_version: adcp, source } = seller;
  const name = plain(seller.name ?? url, 200);
  return (
    <span class="row">
      {hint === null && adcp == null ? (
        <Act
          op={buyer.acquireSellerKey}
          input={{ seller_url: url }}
          label="Ask for a key"
          question={`${name} is asked for a key in our name. Until it approves us the key buys at public prices.`}
          after={after}
        />
      ) : null}
      {hint === null || adcp != null ? null : (
        <Act
          op={buyer.rotateSellerKey}
          input={{ seller_url: url }}
          label="Replace the key"
          question={`${name} gives a new key and the old one is revoked there.`}
          after={after}
        />
      )}
      {source === "added" ? (
        <Act
          op={buyer.removeSeller}
          input={{ seller_url: url }}
          label="Remove"
          tone="danger"
          question={`Briefs ask ${name} no more. Its deals and its key stay.`}
          after={after}
        />
      ) : null}
    </span>
  );
};

export const SellersScreen = () => {
  const read = useRead(buyer.listSellers, {}, []);
  return (
    <Page title="Sellers" note="The sellers that a brief asks.">
      <p class="row">
        <AddSeller after={read.again} />
      </p>
      <Shown read={read}>
        {({ sellers: rows }) =>
          rows.length === 0 ? (
            <Empty title="No seller.">
              Add one by its address, or whoever runs this agent names them as <code>SELLER_ENDPOINTS</code>.
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
                  cell: (seller) => <Changes seller={seller} after={read.again} />,
                },
              ]}
            />
          )
        }
      </Shown>
    </Page>
  );
};
