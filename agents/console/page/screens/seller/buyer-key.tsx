import { useState } from "preact/hooks";
import * as seller from "../../agent/seller.generated.ts";
import { Act } from "../../parts/act.tsx";
import { Field, Select } from "../../parts/field.tsx";
import { Secret } from "../../parts/secret.tsx";

const tiers = ["agency", "seat", "advertiser"] as const;

interface Form {
  readonly tier: (typeof tiers)[number];
  readonly id: string;
  readonly name: string;
  readonly agency: string;
  readonly label: string;
  readonly agent: string;
}

const emptyForm: Form = { tier: "agency", id: "", name: "", agency: "", label: "", agent: "" };

/** Null: an identity is missing. */
const inputOf = (form: Form) => {
  const [id, name, agency, label, agent] = [form.id, form.name, form.agency, form.label, form.agent].map((text) =>
    text.trim(),
  );
  if (id === "" || (form.tier === "advertiser" && agency === "")) return null;
  const named = name === "" ? {} : { [`${form.tier}_name`]: name };
  return {
    ...(form.tier === "advertiser" ? { agency_id: agency } : {}),
    [`${form.tier}_id`]: id,
    ...named,
    ...(label === "" ? {} : { label }),
    ...(agent === "" ? {} : { agent_url: agent }),
  };
};

const missingIn = ({ tier, id }: Form): string =>
  id.trim() === "" ? `The id of the ${tier} is missing.` : "The id of its agency is missing.";

export const NewBuyerKey = ({ again }: { readonly again: () => void }) => {
  const [form, setForm] = useState(emptyForm);
  const [secret, setSecret] = useState<string | null>(null);
  const set = (patch: Partial<Form>): void => setForm({ ...form, ...patch });
  return (
    <div>
      <Act
        op={seller.createApiKey}
        input={inputOf(form)}
        missing={missingIn(form)}
        label="Make a buyer's key"
        question="You vouch for the buyer: the identity counts at once, and with it the tier's prices."
        after={(made) => {
          setSecret(made.api_key);
          setForm(emptyForm);
          again();
        }}
      >
        <Select label="Tier" value={form.tier} values={tiers} onChange={(tier) => set({ tier })} />
        <div class="pair">
          <Field
            label={`Id of the ${form.tier} (needed)`}
            value={form.id}
            onInput={(id) => set({ id })}
            maxLength={255}
          />
          <Field label="Its name, for people" value={form.name} onInput={(name) => set({ name })} maxLength={255} />
          {form.tier === "advertiser" ? (
            <Field
              label="Id of its agency (needed)"
              value={form.agency}
              onInput={(agency) => set({ agency })}
              maxLength={255}
            />
          ) : null}
          <Field
            label="Label of the key (optional)"
            value={form.label}
            onInput={(label) => set({ label })}
            maxLength={255}
          />
        </div>
        <Field
          label="URL of the agent that uses it (optional)"
          hint="Its trust limits the key: until you set it, on the buyer's page, a new agent gets public prices."
          value={form.agent}
          onInput={(agent) => set({ agent })}
          maxLength={2048}
        />
      </Act>
      {secret === null ? null : <Secret name="The buyer's key" text={secret} done={() => setSecret(null)} />}
    </div>
  );
};
