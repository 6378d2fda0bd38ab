import { useState } from "preact/hooks";
import type { OutputOf } from "../../agent/api.ts";
import * as seller from "../../agent/seller.generated.ts";
import { useRead } from "../../agent/read.ts";
import { plain, plural } from "../../form.ts";
import { Act } from "../../parts/act.tsx";
import { Card } from "../../parts/bits.tsx";
import { Field } from "../../parts/field.tsx";
import { wordOf } from "../../words.ts";
import { RevokeAll } from "./revoke-all.tsx";

const trustSteps = ["unknown", "registered", "approved", "preferred"] as const;

const consequences: Readonly<Record<(typeof trustSteps)[number], string>> = {
  unknown: "It is treated as the public.",
  registered: "It reaches the seat tier at most.",
  approved: "It reaches its own tier.",
  preferred: "It reaches its own tier, and what it asks waits first.",
};

const reasonLabel = "Reason, for other operators";

const staysAfterBlock = "Deals that are booked stay. It can be let in again at any time.";

type Buyer = OutputOf<typeof seller.getBuyer>;

interface Again {
  readonly again: () => void;
}

/** By its URL, known to the registry or not. `url` null: it is typed. */
export const Block = ({ url, again }: Again & { readonly url: string | null }) => {
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const address = (url ?? typed).trim();
  const notes = reason.trim();
  const whose = url === null ? "Every call of the agent" : `Every call of ${plain(url)}`;
  return (
    <Act
      op={seller.blockAgent}
      input={address === "" || notes === "" ? null : { agent_url: address, notes }}
      missing={address === "" ? "The URL of the agent is missing." : "The reason is missing."}
      label={url === null ? "Block an agent" : "Block"}
      tone="danger"
      verb="Yes, block"
      question={`${whose} is refused from the next one on, with whatever key. ${staysAfterBlock}`}
      after={again}
    >
      {url === null ? (
        <Field label="URL of the agent" value={typed} onInput={setTyped} maxLength={2048} autoFocus />
      ) : null}
      <Field label={`${reasonLabel} (needed)`} value={reason} onInput={setReason} maxLength={500} />
    </Act>
  );
};

interface StepProps extends Again {
  readonly buyer: Buyer;
  readonly step: (typeof trustSteps)[number];
}

/** By its URL where the registry does not know it: nothing has to be fetched first. */
const SetTrust = ({ buyer, step, again }: StepProps) => {
  const [notes, setNotes] = useState("");
  const { agent_url: url, agent_id: id } = buyer;
  const named = id === null ? { agent_url: url } : { agent_id: id };
  return (
    <Act
      op={seller.setAgentTrust}
      input={{ ...named, trust_status: step, ...(notes.trim() === "" ? {} : { notes: notes.trim() }) }}
      label={`Set ${step}`}
      question={`${plain(url)}: ${consequences[step]} It can be set back at any time.`}
      after={again}
    >
      <Field label={`${reasonLabel} (optional)`} value={notes} onInput={setNotes} maxLength={500} />
    </Act>
  );
};

const LookUp = ({ url, again }: Again & { readonly url: string }) => (
  <p class="row">
    <span class="muted">Its agent was never looked up; its trust can be set all the same.</span>
    <Act
      op={seller.registerBuyerAgent}
      input={{ agent_url: url }}
      label="Look it up"
      question={`The card of ${plain(url)} is fetched, the registries are asked, and its trust follows.`}
      after={again}
    />
  </p>
);

/** The trust that an agent has, and can be given. */
export const Trust = ({ buyer, again }: Again & { readonly buyer: Buyer }) => {
  const { agent_url: url, agent_id: id, trust_status: now } = buyer;
  if (url === null) {
    return (
      <>
        <p class="muted">Its keys name no agent. What shuts it out is to revoke its keys.</p>
        <RevokeAll buyer={buyer} after={again} />
      </>
    );
  }
  return (
    <>
      {id === null ? <LookUp url={url} again={again} /> : null}
      <ul class="states">
        <li class={now === "blocked" ? "here" : "next"}>
          <b>blocked</b>
          <span class="muted small">Every call of it is refused.</span>
          {now === "blocked" ? null : <Block url={url} again={again} />}
        </li>
        {trustSteps.map((step) => (
          <li key={step} class={step === now ? "here" : "next"}>
            <b>{wordOf({}, step)}</b>
            <span class="muted small">{consequences[step]}</span>
            {step === now ? null : <SetTrust buyer={buyer} step={step} again={again} />}
          </li>
        ))}
      </ul>
    </>
  );
};

/** Agents that are shut out, those without a key included. */
export const BlockedAgents = ({ again }: Again) => {
  const read = useRead(seller.listBuyerAgents, { trust_status: "blocked", limit: 200 }, ["agent."], false);
  const agents = read.output?.agents ?? [];
  if (agents.length === 0) return null;
  const changed = (): void => {
    read.again();
    again();
  };
  return (
    <Card title="Blocked agents" note={plural(agents.length, "agent")}>
      <ul class="lines">
        {agents.map(({ agent_id: id, agent_card: card, notes }) => (
          <li key={id}>
            <span>
              {plain(card.url, 200)}
              {typeof notes === "string" ? <span class="muted small"> {plain(notes, 300)}</span> : null}
            </span>
            <Act
              op={seller.setAgentTrust}
              input={id === null ? null : { agent_id: id, trust_status: "unknown" }}
              label="Let it in again"
              question={`${plain(card.url)}: its calls are answered again, as those of an unknown agent.`}
              after={changed}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
};
