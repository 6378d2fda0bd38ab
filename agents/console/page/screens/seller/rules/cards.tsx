import * as seller from "../../../agent/seller.generated.ts";
import { useRead } from "../../../agent/read.ts";
import { session } from "../../../agent/session.ts";
import { moment, plain } from "../../../form.ts";
import { Card } from "../../../parts/bits.tsx";
import { Shown } from "../../../parts/states.tsx";
import { ChangeRules, ResetRules } from "./edit.tsx";
import { type Rule, type Rules, type Section, sections } from "./form.ts";

const Standing = ({ rule, rules }: { readonly rule: Rule; readonly rules: Rules }) => {
  const fixed = rules.fixed.find(({ name }) => name === rule.name);
  if (fixed !== undefined) {
    return (
      <small class="muted block">
        fixed where the agent runs, as <code>{fixed.variable}</code>
      </small>
    );
  }
  return rules.stored.includes(rule.name) ? (
    <small class="muted block">at the start: {rule.says(rules.start_values)}</small>
  ) : null;
};

const SectionCard = ({ section, rules, again }: { section: Section; rules: Rules; again: () => void }) => {
  const isOpen = section.rules.some(({ name }) => !rules.fixed.some((one) => one.name === name));
  const isSenior = session.value?.role === "senior";
  return (
    <Card title={section.title}>
      <dl class="facts">
        {section.rules.map((rule) => (
          <div key={rule.name}>
            <dt>{rule.label}</dt>
            <dd>
              {rule.says(rules.values)}
              <Standing rule={rule} rules={rules} />
            </dd>
          </div>
        ))}
      </dl>
      {isOpen && isSenior ? (
        <p class="row spaced">
          <ChangeRules section={section} rules={rules} again={again} />
          <ResetRules section={section} rules={rules} again={again} />
        </p>
      ) : null}
    </Card>
  );
};

const changedBy = ({ updated_at: at, updated_by: by }: Rules): string =>
  at === null ? "As the agent was started." : `Changed last by ${plain(by)}, ${moment(at)}.`;

/** What this seller sells by: each rule with where it comes from, changed by a senior in one sheet a section. */
export const SellingRuleCards = () => {
  const read = useRead(seller.getSellingRules, {});
  return (
    <section class="stack">
      <h2>Selling rules</h2>
      <Shown read={read}>
        {(rules) => (
          <>
            <p class="muted">
              {changedBy(rules)} They count at once, for what begins from now on
              {session.value?.role === "senior" ? "." : "; a senior operator changes them."}
            </p>
            <div class="columns wide">
              {sections.map((section) => (
                <SectionCard key={section.title} section={section} rules={rules} again={read.again} />
              ))}
            </div>
          </>
        )}
      </Shown>
    </section>
  );
};
