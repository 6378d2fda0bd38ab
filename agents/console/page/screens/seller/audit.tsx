import type { OutputOf } from "../../agent/api.ts";
import { screenOf, useAddress } from "../../address.ts";
import { moment, plain, plural } from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { Page } from "../../parts/page.tsx";
import { Rows } from "../../parts/rows.tsx";
import { Empty, Shown } from "../../parts/states.tsx";
import type { Column } from "../../parts/table.tsx";
import { useRead } from "../../agent/read.ts";
import { wordOf } from "../../words.ts";

type Record_ = OutputOf<typeof seller.listAudit>["records"][number];

type Changed = Record_["changed"][number];

const factText = (fact: Changed["from"]): string => (fact === null || fact === "" ? "none" : plain(String(fact)));

const changeText = ({ id, field, from, to }: Changed): string =>
  `${plain(id)} ${wordOf({}, plain(field))}: ${factText(from)} to ${factText(to)}`;

const operationWords: Readonly<Record<string, string>> = {
  converse: "conversation",
  transition_deal: "deal moved",
  transition_order: "order moved",
  set_agent_trust: "trust set",
  approve_or_reject: "approval decided",
  create_change_request: "change asked for",
  review_change_request: "change reviewed",
  apply_change_request: "change applied",
};

const doorWords: Readonly<Record<string, string>> = {
  rest: "console or REST",
  a2a: "agent (A2A)",
  mcp: "assistant (MCP)",
  timer: "by the clock",
};

const columns: readonly Column<Record_>[] = [
  { name: "When", isLead: true, cell: (record) => moment(record.at) },
  {
    name: "Who",
    cell: (record) => (
      <a href={`${screenOf("audit")}?actor=${encodeURIComponent(record.actor)}`} title={plain(record.actor)}>
        {plain(record.actor_name ?? record.actor)}
      </a>
    ),
  },
  { name: "What", cell: (record) => wordOf(operationWords, plain(record.operation)) },
  { name: "Changed", cell: (record) => record.changed.map(changeText).join("; ") },
  { name: "Came by", cell: (record) => wordOf(doorWords, plain(record.door)) },
  { name: "Number", isNumber: true, cell: (record) => record.seq },
  { name: "Hash", cell: (record) => <code>{record.hash.slice(0, 12)}</code> },
];

const Wholeness = () => {
  const read = useRead(seller.verifyAudit, {});
  return (
    <Shown read={read} lines={1}>
      {({ whole, records, heads, checked_at: checkedAt, first_broken: broken }) =>
        whole ? (
          <div class="notice ok">
            <p>The trail is whole: {records === null ? "all records" : plural(records, "record")} checked.</p>
            {heads.map(({ chain, records: count, hash }) => (
              <p key={chain}>
                {plain(chain)}, {plural(count, "record")} at {moment(checkedAt)}: <code>{hash}</code>
              </p>
            ))}
          </div>
        ) : (
          <p class="notice warn" role="alert">
            The trail is broken{broken === null ? "" : ` at record ${broken.seq}: ${plain(broken.reason, 200)}`}.
          </p>
        )
      }
    </Shown>
  );
};

export const AuditScreen = () => {
  const { query } = useAddress();
  const { cursor, actor, operation, record_id } = query;
  const read = useRead(seller.listAudit, {
    limit: 50,
    cursor,
    actor,
    operation,
    record_id,
  });
  return (
    <Page title="Audit" note="Each change, by whom, in a chain of hashes.">
      {actor === undefined && operation === undefined && record_id === undefined ? (
        <Wholeness />
      ) : (
        <p>
          Only what {plain(actor ?? "anybody")} did{record_id === undefined ? "" : ` to ${plain(record_id)}`}.{" "}
          <a href={screenOf("audit")}>Show all</a>
        </p>
      )}
      <Rows
        read={read}
        rowsOf={(page) => page.records}
        caption="Audit records"
        columns={columns}
        idOf={(record) => record.hash}
        empty={<Empty title="No record.">The first change makes one.</Empty>}
      />
    </Page>
  );
};
