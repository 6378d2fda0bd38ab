import { useState } from "preact/hooks";
import type { OutputOf } from "../../agent/api.ts";
import { amountIn, unreadable } from "../../amount.ts";
import { money, plain, plural } from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { Act } from "../../parts/act.tsx";
import { Card, Chip } from "../../parts/bits.tsx";
import { Field } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { useUnusual } from "../../parts/unusual.tsx";
import { useRead } from "../../agent/read.ts";
import { wordOf } from "../../words.ts";
import { SellingRuleCards } from "./rules/cards.tsx";
import { ThisBrowser } from "../this-browser.tsx";

type Setup = OutputOf<typeof seller.getSetupStatus>;

interface Step {
  readonly name: string;
  readonly isDone: boolean;
  readonly says: string;
  readonly variable: string;
}

const stepsOf = (setup: Setup): readonly Step[] => [
  {
    name: "Who sells",
    isDone: setup.publisher_identity.configured,
    says: setup.publisher_identity.name,
    variable: "SELLER_ORGANIZATION_NAME",
  },
  {
    name: "Ad server",
    isDone: setup.ad_server.configured,
    says: wordOf({}, setup.ad_server.type),
    variable: "AD_SERVER_TYPE",
  },
  {
    name: "Media kit",
    isDone: setup.media_kit.configured,
    says: plural(setup.media_kit.package_count, "package"),
    variable: "CATALOG_FILE",
  },
  {
    name: "Floor price",
    isDone: setup.pricing.floor_cpm > 0,
    says: money(setup.pricing.floor_cpm, setup.pricing.currency),
    variable: "CATALOG_FILE",
  },
];

const Refusals = () => {
  const read = useRead(seller.listRefusals, { by: "code" });
  return (
    <Card title="What was refused" note="the last 7 days">
      <Shown read={read}>
        {({ refusals }) =>
          refusals.length === 0 ? (
            <Empty title="Nothing was refused." />
          ) : (
            <Table
              caption="Refusals"
              rows={refusals}
              idOf={({ name }) => name}
              columns={[
                { name: "Code", isLead: true, cell: ({ name }) => wordOf({}, plain(name)) },
                { name: "Calls", isNumber: true, cell: ({ count }) => count },
                { name: "Meaning", cell: ({ meaning }) => plain(meaning, 200) },
              ]}
            />
          )
        }
      </Shown>
    </Card>
  );
};

type Rate = OutputOf<typeof seller.getRateCard>["entries"][number];

const entryOf = ({ inventory_type, base_cpm, currency, effective_date, notes }: Rate, cpm: number | null) => ({
  inventory_type,
  base_cpm: cpm ?? base_cpm ?? 0,
  currency,
  ...(effective_date == null ? {} : { effective_date }),
  ...(notes == null ? {} : { notes }),
});

/** The card is replaced as a whole, so the other rows travel along as they are. */
const NewRate = ({
  rows,
  row,
  revision,
  again,
}: {
  readonly revision: number | undefined;
  readonly rows: readonly Rate[];
  readonly row: Rate;
  readonly again: () => void;
}) => {
  const [text, setText] = useState(row.base_cpm?.toFixed(2) ?? "");
  const cpm = amountIn(text);
  const unusual = useUnusual([{ name: "list price", old: row.base_cpm, fresh: cpm }], row.currency);
  return (
    <Act
      op={seller.updateRateCard}
      input={
        cpm === null || unusual.isOpen
          ? null
          : { entries: rows.map((one) => entryOf(one, one.inventory_type === row.inventory_type ? cpm : null)) }
      }
      missing={unusual.isOpen ? "Confirm the unusual price." : "A price is missing."}
      label="Change"
      question={`${wordOf({}, row.inventory_type)}: ${money(row.base_cpm, row.currency)} → ${money(
        cpm,
        row.currency,
      )}. Packages imported from now on start with it.`}
      revisionOf={() => revision}
      again={again}
      after={again}
    >
      <Field
        label="List price per thousand"
        value={text}
        onInput={setText}
        error={unreadable(text)}
        maxLength={12}
        autoFocus
      />
      {unusual.question}
    </Act>
  );
};

const RateCard = () => {
  const read = useRead(seller.getRateCard, {});
  return (
    <Card title="Rate card">
      <p class="muted">
        A list price here is where packages that are imported later start. Products and packages that exist keep their
        prices: those are changed on their own pages.
      </p>
      <Shown read={read}>
        {({ entries, revision }) => (
          <Table
            caption="Rate card"
            rows={entries}
            idOf={({ inventory_type: type }) => type}
            columns={[
              { name: "Kind", isLead: true, cell: ({ inventory_type: type }) => wordOf({}, type) },
              { name: "List", isNumber: true, cell: ({ base_cpm: cpm, currency }) => money(cpm, currency) },
              {
                name: "Change",
                isAct: true,
                cell: (row) => <NewRate rows={entries} row={row} revision={revision} again={read.again} />,
              },
            ]}
          />
        )}
      </Shown>
    </Card>
  );
};

const noteOf = (steps: readonly Step[]): string => {
  const open = steps.filter(({ isDone }) => !isDone).map(({ name }) => name.toLowerCase());
  return open.length === 0 ? "Everything is set up." : `Still to do by whoever runs the agent: ${open.join(", ")}.`;
};

export const SetupScreen = () => {
  const read = useRead(seller.getSetupStatus, {});
  return (
    <Page title="Setup" note={read.output === null ? undefined : noteOf(stepsOf(read.output))}>
      <Shown read={read}>
        {(setup) => (
          <Card title="What is set">
            <ul class="lines">
              {stepsOf(setup).map(({ name, isDone, says, variable }) => (
                <li key={name}>
                  <span>
                    <Chip tone={isDone ? "ok" : "warn"}>{isDone ? "set" : "to do"}</Chip> {name}
                  </span>
                  <span class="muted">
                    {isDone ? (
                      plain(says, 120)
                    ) : (
                      <>
                        set it as <code>{variable}</code>
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Shown>
      <SellingRuleCards />
      <div class="columns">
        <RateCard />
        <Refusals />
      </div>
      <ThisBrowser />
    </Page>
  );
};
