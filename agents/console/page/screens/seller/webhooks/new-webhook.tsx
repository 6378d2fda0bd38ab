import { useState } from "preact/hooks";
import * as seller from "../../../agent/seller.generated.ts";
import { Act } from "../../../parts/act.tsx";
import { Field } from "../../../parts/field.tsx";
import { Secret } from "../../../parts/secret.tsx";

type Input = NonNullable<(typeof seller.createWebhook)["types"]>["input"];
type EventType = Input["event_types"][number];

/** What each is about, so that a group is chosen at once. */
const groupOf: Readonly<Record<EventType, string>> = {
  "approval.requested": "Approvals",
  "approval.granted": "Approvals",
  "approval.denied": "Approvals",
  "approval.timed_out": "Approvals",
  "quote.created": "Quotes",
  "quote.booked": "Quotes",
  "quote.expired": "Quotes",
  "quote.declined": "Quotes",
  "proposal.received": "Proposals",
  "proposal.evaluated": "Proposals",
  "proposal.accepted": "Proposals",
  "proposal.rejected": "Proposals",
  "proposal.countered": "Proposals",
  "negotiation.started": "Price talk",
  "negotiation.round": "Price talk",
  "negotiation.concluded": "Price talk",
  "deal.created": "Deals",
  "deal.registered": "Deals",
  "deal.synced": "Deals",
  "deal.activated": "Deals",
  "deal.changed": "Deals",
  "deal.completed": "Deals",
  "deal.expired": "Deals",
  "deal.rejected": "Deals",
  "execution.completed": "Deals",
  "order.created": "Orders",
  "order.transitioned": "Orders",
  "change_request.created": "Changes",
  "change_request.approved": "Changes",
  "change_request.rejected": "Changes",
  "change_request.withdrawn": "Changes",
  "change_request.applied": "Changes",
  "change_request.failed": "Changes",
  "product.updated": "Catalogue",
  "package.created": "Catalogue",
  "package.updated": "Catalogue",
  "package.synced": "Catalogue",
  "package.archived": "Catalogue",
  "api_key.created": "Keys and agents",
  "api_key.verified": "Keys and agents",
  "api_key.revoked": "Keys and agents",
  "agent.discovered": "Keys and agents",
  "agent.trust_changed": "Keys and agents",
  "agent.removed": "Keys and agents",
  "session.created": "Talks",
  "session.resumed": "Talks",
  "session.closed": "Talks",
  "handover.requested": "Talks",
  "handover.answered": "Talks",
  "media_buy.submitted": "Media buys",
  "media_buy.created": "Media buys",
  "media_buy.rejected": "Media buys",
  "media_buy.changed": "Media buys",
  "media_buy.canceled": "Media buys",
  "media_buy.rated": "Media buys",
  "creative.changed": "Media buys",
};

const groups = [...new Set(Object.values(groupOf))];

const typesIn = (chosen: readonly string[]): readonly EventType[] =>
  (Object.keys(groupOf) as readonly EventType[]).filter((type) => chosen.includes(groupOf[type]));

const toggled = (chosen: readonly string[], one: string): readonly string[] =>
  chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];

const inputOf = (url: string, chosen: readonly string[]): Input | null =>
  url.trim() === "" || chosen.length === 0 ? null : { url: url.trim(), event_types: [...typesIn(chosen)] };

export const NewWebhook = ({ again }: { readonly again: () => void }) => {
  const [url, setUrl] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>(["Approvals"]);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <div>
      <Act
        op={seller.createWebhook}
        input={inputOf(url, chosen)}
        label="Make a webhook"
        question="Each event of the chosen kinds is posted there, signed, until it arrives or three days are over."
        after={(made) => {
          setSecret(made.secret);
          setUrl("");
          again();
        }}
      >
        <Field label="Address, public and https" value={url} onInput={setUrl} maxLength={2048} autoFocus />
        <fieldset>
          <legend>Events</legend>
          {groups.map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={() => setChosen(toggled(chosen, name))}
              />
              {name}
            </label>
          ))}
        </fieldset>
      </Act>
      {secret === null ? null : (
        <Secret name="The secret that signs what is sent" text={secret} done={() => setSecret(null)} />
      )}
    </div>
  );
};
