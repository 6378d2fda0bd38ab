import { useState } from "preact/hooks";
import type { OutputOf } from "../../agent/api.ts";
import * as buyer from "../../agent/buyer.generated.ts";
import { plain } from "../../form.ts";
import { Act } from "../../parts/act.tsx";
import { Facts } from "../../parts/bits.tsx";
import { Field } from "../../parts/field.tsx";
import { wordOf } from "../../words.ts";

type Added = OutputOf<typeof buyer.addSeller>;

const trustText = ({ trust }: Added): string =>
  trust.is_registered ? `${wordOf({}, plain(trust.trust_level))}, registered` : "Not in the agent registry";

/** What its address answered, before it is added. */
const SellerRead = ({ read }: { readonly read: Added }) => (
  <>
    {read.added ? null : <p class="notice warn">This seller is there already. Nothing would change.</p>}
    <Facts
      rows={[
        { name: "Name", value: read.card?.name ?? "It has no card" },
        { name: "Address", value: read.seller_url },
        { name: "Trust", value: trustText(read) },
        { name: "Speaks", value: read.protocols.length === 0 ? "not said" : read.protocols.join(", ") },
        read.card === null || read.card.capabilities.length === 0
          ? null
          : { name: "Offers", value: read.card.capabilities.map(({ name }) => name).join(", ") },
        { name: "Our tier now", value: read.tier ?? "not said" },
        { name: "Answers", value: read.reachable ? "yes" : "only with a key" },
      ]}
    />
  </>
);

const isAddress = (text: string): boolean => /^((mcp|a2a)\+)?https?:\/\/\S+$/i.test(text.trim());

/** A seller by its address, in one sheet: its card is read, its trust shown, and on Yes its key acquired. */
export const AddSeller = ({ after }: { readonly after: () => void }) => {
  const [address, setAddress] = useState("");
  const [asksKey, setAsksKey] = useState(true);
  const [done, setDone] = useState<Added | null>(null);
  return (
    <>
      <Act
        op={buyer.addSeller}
        input={isAddress(address) ? { seller_url: address.trim(), acquire_key: asksKey } : null}
        missing="Write an http or https address, for example https://seller.example:8000."
        label="Add a seller"
        look="primary"
        question="Briefs ask it from then on, and comparisons show it."
        shows={(read) => <SellerRead read={read} />}
        after={(added) => {
          setAddress("");
          setDone(added);
          after();
        }}
      >
        <Field
          label="Address of the seller"
          value={address}
          onInput={setAddress}
          placeholder="https://seller.example:8000"
          maxLength={2048}
          autoFocus
          autoComplete="off"
        />
        <label class="check">
          <input type="checkbox" checked={asksKey} onChange={(event) => setAsksKey(event.currentTarget.checked)} />
          Ask it for a key in our name
        </label>
      </Act>
      {done === null ? null : (
        <span role="status">
          {plain(done.card?.name ?? done.seller_url)} is added
          {done.masked_key !== null
            ? " and gave a key."
            : done.key_error === null
              ? "."
              : `, without a key: ${plain(done.key_error, 300)}`}
        </span>
      )}
    </>
  );
};
