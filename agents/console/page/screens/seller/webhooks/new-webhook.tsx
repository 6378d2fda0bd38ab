import { useState } from "preact/hooks";
import * as seller from "../../../agent/seller.generated.ts";
import { Act } from "../../../parts/act.tsx";
import { TextArea, Field, Select } from "../../../parts/field.tsx";
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

const needy = "What needs a person";

const needyTypes: readonly EventType[] = [
  "approval.requested",
  "change_request.created",
  "handover.requested",
  "media_buy.submitted",
];

const groups = [needy, ...new Set(Object.values(groupOf))];

const typesIn = (chosen: readonly string[]): readonly EventType[] =>
  (Object.keys(groupOf) as readonly EventType[]).filter(
    (type) => chosen.includes(groupOf[type]) || (chosen.includes(needy) && needyTypes.includes(type)),
  );

const toggled = (chosen: readonly string[], one: string): readonly string[] =>
  chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];

const card = {
  type: "AdaptiveCard",
  version: "1.4",
  body: [{ type: "TextBlock", text: "{{text}}", wrap: true }],
  actions: [{ type: "Action.OpenUrl", title: "Open", url: "{{link}}" }],
};

/** What is posted; null: the event. */
const templatesFor = {
  "The event, for a program": null,
  "Slack or Mattermost": { text: "{{text}} {{link}}" },
  "Microsoft Teams": {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content: card }],
  },
  "A mail gateway": { to: "desk@example.com", subject: "{{seller}}: {{text}}", text: "{{text}}\n\n{{link}}" },
} as const;

type Format = keyof typeof templatesFor;

const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The answer is null where it is no object of JSON. */
const parsedTemplate = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? value : null;
  } catch {
    return null;
  }
};

interface Draft {
  readonly url: string;
  readonly chosen: readonly string[];
  /** Null: the event is posted. */
  readonly template: string | null;
}

const inputOf = ({ url, chosen, template: text }: Draft): Input | null => {
  const template = text === null ? null : parsedTemplate(text);
  if (url.trim() === "" || chosen.length === 0 || (text !== null && template === null)) return null;
  return { url: url.trim(), event_types: [...typesIn(chosen)], ...(template === null ? {} : { template }) };
};

const FormatFields = ({ text, set }: { readonly text: string | null; readonly set: (text: string | null) => void }) => {
  const formatNames = Object.keys(templatesFor) as Format[];
  const [format, setFormat] = useState<Format>("The event, for a program");
  const choose = (name: Format): void => {
    setFormat(name);
    set(templatesFor[name] === null ? null : JSON.stringify(templatesFor[name], null, 2));
  };
  return (
    <>
      <Select label="Posted as" value={format} values={formatNames} onChange={choose} />
      {text === null ? null : (
        <>
          <TextArea
            label="What is posted"
            value={text}
            onInput={set}
            rows={6}
            maxLength={4000}
            error={parsedTemplate(text) === null ? "Write an object of JSON." : null}
          />
          <p class="muted small">
            Filled in: <code>{"{{text}}"}</code> says in a line what it is about, <code>{"{{link}}"}</code> opens it
            here.
          </p>
        </>
      )}
    </>
  );
};

const newDraft: Draft = { url: "", chosen: [needy], template: null };

export const NewWebhook = ({ again }: { readonly again: () => void }) => {
  const [draft, setDraft] = useState(newDraft);
  const [secret, setSecret] = useState<string | null>(null);
  const { url, chosen, template } = draft;
  return (
    <div>
      <Act
        op={seller.createWebhook}
        input={inputOf(draft)}
        label="Make a webhook"
        question="Each event of the chosen kinds is posted there, signed, until it arrives or three days are over."
        after={(made) => {
          setSecret(made.secret);
          setDraft(newDraft);
          again();
        }}
      >
        <Field
          label="Address, public and https"
          value={url}
          onInput={(text) => setDraft({ ...draft, url: text })}
          maxLength={2048}
          autoFocus
        />
        <FormatFields text={template} set={(text) => setDraft((before) => ({ ...before, template: text }))} />
        <fieldset>
          <legend>Events</legend>
          {groups.map((name) => (
            <label key={name} class="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={() => setDraft({ ...draft, chosen: toggled(chosen, name) })}
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
