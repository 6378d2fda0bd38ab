import { useState } from "preact/hooks";
import * as seller from "../../../agent/seller.generated.ts";
import { day } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Field, TextArea } from "../../../parts/field.tsx";
import { flowWords, wordOf } from "../../../words.ts";
import { type RuleChange, type Entry, flows, type Rule, type Rules, type Section, type TypedTexts } from "./form.ts";
import { decidedSentences, type LastMonth } from "./last-month.ts";

const Flows = ({ text, set }: { readonly text: string; readonly set: (text: string) => void }) => {
  const chosen = text.split(",").filter((name) => name !== "");
  return (
    <fieldset class="picks">
      <legend>What waits</legend>
      {flows.map((flow) => (
        <label key={flow} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(flow)}
            onChange={(event) =>
              set((event.currentTarget.checked ? [...chosen, flow] : chosen.filter((one) => one !== flow)).join(","))
            }
          />
          {wordOf(flowWords, flow)}
        </label>
      ))}
    </fieldset>
  );
};

interface EntryProps {
  readonly entry: Entry;
  readonly text: string;
  readonly set: (text: string) => void;
  readonly error: string | null;
}

const EntryField = ({ entry, text, set, error }: EntryProps) => {
  const { kind, label, hint } = entry;
  if (kind === "flows") return <Flows text={text} set={set} />;
  if (kind === "lines") return <TextArea label={label} value={text} onInput={set} error={error} maxLength={1000} />;
  if (kind === "flag") {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={text === "true"}
          onChange={(event) => set(String(event.currentTarget.checked))}
        />
        {label}
      </label>
    );
  }
  return (
    <Field
      label={label}
      value={text}
      onInput={set}
      error={error}
      maxLength={260}
      {...(hint === undefined ? {} : { hint })}
    />
  );
};

const WouldHaveDecided = (decided: LastMonth) => (
  <div class="notice">
    <p class="strong">
      What this would have decided, {day(decided.since)} to {day(decided.until)}
    </p>
    <ul class="plain-list">
      {decidedSentences(decided).map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  </div>
);

const isTyped = (rule: Rule, texts: TypedTexts, rules: Rules): boolean =>
  Object.entries(rule.read(rules.values)).some(([key, before]) => texts[key] !== before);

/** Null where something typed cannot be read, or nothing is another than before. */
const changeIn = (open: readonly Rule[], texts: TypedTexts, rules: Rules): RuleChange | null => {
  const typed = open.filter((rule) => isTyped(rule, texts, rules));
  const changes = typed.map((rule) => rule.write(texts));
  const read = changes.filter((change) => change !== null);
  return typed.length === 0 || read.length < changes.length ? null : Object.assign({}, ...read);
};

const isFixed = (rules: Rules, { name }: Rule): boolean => rules.fixed.some((one) => one.name === name);

interface ChangeProps {
  readonly section: Section;
  readonly rules: Rules;
  readonly again: () => void;
}

const says = (section: Section, rules: Rules, change: RuleChange): string =>
  section.rules
    .filter(({ name }) => Object.hasOwn(change, name))
    .map((rule) => `${rule.label}: ${rule.says(rules.values)}`)
    .join(". ");

/** The rules of a section in one sheet; what it would have decided stands above the button. */
export const ChangeRules = ({ section, rules, again }: ChangeProps) => {
  const open = section.rules.filter((rule) => !isFixed(rules, rule));
  const before: TypedTexts = Object.assign({}, ...open.map((rule) => rule.read(rules.values)));
  const [typed, setTyped] = useState<TypedTexts>({});
  const texts = { ...before, ...typed };
  const change = changeIn(open, texts, rules);
  const isUnread = open.some((rule) => isTyped(rule, texts, rules) && rule.write(texts) === null);
  const done = (): void => {
    setTyped({});
    again();
  };
  return (
    <Act
      op={seller.updateSellingRules}
      input={change}
      missing={isUnread ? "Something typed is not of the form it needs." : "Change something."}
      label={`Change: ${section.title}`}
      verb="Yes, change it"
      question={change === null ? section.note : `${section.note} Now: ${says(section, rules, change)}.`}
      shows={({ last_month: decided }) => (decided === null ? null : <WouldHaveDecided {...decided} />)}
      revisionOf={() => rules.revision}
      again={again}
      after={done}
    >
      <div class={open.some(({ entries }) => entries.length > 4) ? "rule-fields" : "stack"}>
        {open.flatMap((rule) =>
          rule.entries.map((entry) => (
            <EntryField
              key={entry.key}
              entry={entry}
              text={texts[entry.key] ?? ""}
              set={(text) => setTyped({ ...typed, [entry.key]: text })}
              error={
                isTyped(rule, texts, rules) && rule.write(texts) === null && entry.kind !== "flag"
                  ? entry.kind === "lines"
                    ? "A line like 5,000,000: 5."
                    : "This cannot be read. Write it as before, for example 12.5."
                  : null
              }
            />
          )),
        )}
      </div>
    </Act>
  );
};

/** Back to what the agent was started with. */
export const ResetRules = ({ section, rules, again }: ChangeProps) => {
  const stored = section.rules.filter((rule) => rules.stored.includes(rule.name) && !isFixed(rules, rule));
  if (stored.length === 0) return null;
  return (
    <Act
      op={seller.updateSellingRules}
      input={{ reset: stored.map(({ name }) => name) }}
      label={`Back to the start: ${section.title}`}
      verb="Yes, back to it"
      question={stored.map((rule) => `${rule.label}: ${rule.says(rules.start_values)}`).join(". ")}
      shows={({ last_month: decided }) => (decided === null ? null : <WouldHaveDecided {...decided} />)}
      revisionOf={() => rules.revision}
      again={again}
      after={again}
    />
  );
};
