import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { nowMs } from "../../../clock.ts";
import { buyerName, ago, left, plain, plural, roundMoney } from "../../../form.ts";
import { useKeys } from "../../../keys.ts";
import type { OutputOf } from "../../../agent/api.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { Chip } from "../../../parts/bits.tsx";
import { Choices, Field } from "../../../parts/field.tsx";
import { Empty, Shown } from "../../../parts/states.tsx";
import { useRead } from "../../../agent/read.ts";
import { canWrite } from "../../../agent/session.ts";
import { decisionWords, flowWords, statusWords, wordOf } from "../../../words.ts";
import { claimsOf } from "./brief-words.ts";
import { BulkSheet, canSelect, mostSelected } from "./bulk.tsx";

type Listed = OutputOf<typeof seller.listApprovals>["approvals"][number];

const kinds = ["deal", "negotiation", "proposal", "api_key"] as const;

const addressOf = (id: string | null, query: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(query).toString();
  return `/console/approvals${id === null ? "" : `/${encodeURIComponent(id)}`}${text === "" ? "" : `?${text}`}`;
};

const isFound = (row: Listed, text: string): boolean =>
  [
    row.buyer_name,
    row.product_name,
    row.approval_id,
    row.flow_id,
    row.key_request == null ? null : claimsOf(row.key_request),
  ].some((part) => part?.toLowerCase().includes(text.toLowerCase()) === true);

const wants = (row: Listed): string =>
  row.flow_type === "api_key"
    ? `A key as ${row.key_request == null ? "its identity" : claimsOf(row.key_request)}`
    : plain(row.product_name ?? row.product_id ?? (row.flow_type === "media_buy" ? "Its packages" : "none"));

const standing = (row: Listed): string => {
  if (row.status === "pending") return left(row.expires_at, nowMs.value);
  if (row.response === null) return wordOf(statusWords, row.status);
  return `${wordOf(decisionWords, row.response.decision)} ${ago(row.response.decided_at, nowMs.value)}`;
};

interface InboxRowProps {
  readonly row: Listed;
  readonly isOpen: boolean;
  readonly address: string;
  readonly pick: { readonly isPicked: boolean; readonly toggle: () => void } | null;
}

const InboxRow = ({ row, isOpen, address, pick }: InboxRowProps) => {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <li class={pick === null ? "" : "pickable"}>
      {pick === null ? null : (
        <input
          type="checkbox"
          checked={pick.isPicked}
          aria-label={`Select ${buyerName(row.buyer_name, row.buyer)}`}
          onChange={pick.toggle}
        />
      )}
      <a ref={link} href={address} class="inbox-row" aria-current={isOpen ? "true" : undefined}>
        <span class="strong clip">{buyerName(row.buyer_name, row.buyer)}</span>
        <span class="end">{row.value === null ? "" : roundMoney(row.value, row.currency)}</span>
        <span class="muted clip">{wants(row)}</span>
        <span class="end" />
        <span>
          <Chip tone={row.flow_type === "negotiation" || row.flow_type === "deal" ? "accent" : "quiet"}>
            {wordOf(flowWords, row.flow_type)}
          </Chip>
        </span>
        <span class="end muted">{standing(row)}</span>
      </a>
    </li>
  );
};

const KindChoices = ({ rows, query }: { rows: readonly Listed[]; query: Readonly<Record<string, string>> }) => {
  const { kind: chosen = "", ...rest } = query;
  const present = kinds
    .map((kind) => ({ kind, number: rows.filter((row) => row.flow_type === kind).length }))
    .filter(({ kind, number }) => number > 0 || kind === chosen);
  const choices = present.map(({ kind, number }) => ({ value: kind, label: `${flowWords[kind]} ${number}` }));
  return (
    <Choices
      label="Kind"
      choices={[{ value: "", label: "All" }, ...choices]}
      chosen={chosen}
      linkTo={(kind) => addressOf(null, kind === "" ? rest : { ...rest, kind })}
    />
  );
};

const summary = (waiting: { count: number; values: Readonly<Record<string, number>> | null }): string => {
  if (waiting.count === 0) return "Nothing waits for you";
  const values = Object.entries(waiting.values ?? {}).map(([currency, value]) => roundMoney(value, currency));
  const worth = values.length === 0 ? "" : `, worth ${values.join(" and ")}`;
  return `${plural(waiting.count, "waits", "wait")} for you${worth}`;
};

const useMoves = (rows: readonly Listed[], openId: string | null, open: (id: string) => void): void => {
  const at = rows.findIndex((row) => row.approval_id === openId);
  const move = (by: number): void => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    if (next !== undefined) open(next.approval_id);
  };
  useKeys({ j: () => move(1), k: () => move(at < 0 ? 1 : -1) });
};

const useSelection = (rows: readonly Listed[], openId: string | null) => {
  const [ids, setIds] = useState<readonly string[]>([]);
  const chosen = rows.filter((row) => ids.includes(row.approval_id));
  const canPick = (row: Listed): boolean => row.status === "pending" && canWrite() && canSelect(row, chosen);
  const toggle = (row: Listed): void => {
    const { approval_id: id } = row;
    if (ids.includes(id)) setIds(ids.filter((other) => other !== id));
    else if (canPick(row) && chosen.length < mostSelected) setIds([...ids, id]);
  };
  const open = rows.find((row) => row.approval_id === openId);
  useKeys({ x: () => (open === undefined ? undefined : toggle(open)) });
  return {
    chosen,
    pickOf: (row: Listed) =>
      canPick(row) ? { isPicked: ids.includes(row.approval_id), toggle: () => toggle(row) } : null,
    drop: (done: readonly string[]) => setIds(ids.filter((id) => !done.includes(id))),
  };
};

const Selected = ({ chosen, drop }: Pick<ReturnType<typeof useSelection>, "chosen" | "drop">) => {
  const [choice, setChoice] = useState<"approve" | "reject" | null>(null);
  if (chosen.length === 0 && choice === null) return null;
  return (
    <div class="selected">
      <span class="strong">{chosen.length} selected</span>
      <button type="button" class="button small" onClick={() => setChoice("approve")}>
        Approve
      </button>
      <button type="button" class="button small danger-line" onClick={() => setChoice("reject")}>
        Reject
      </button>
      <button type="button" class="link" onClick={() => drop(chosen.map(({ approval_id: id }) => id))}>
        None
      </button>
      {choice === null ? null : (
        <BulkSheet rows={chosen} choice={choice} close={() => setChoice(null)} decided={drop} />
      )}
    </div>
  );
};

const NoRows = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <Empty title="None fits.">Choose another kind, or empty the search.</Empty>
  ) : (
    <Empty title="Nothing waits for you.">What needs a person appears here as soon as a buyer asks for it.</Empty>
  );

const Rows = ({ all, openId, query, isCut }: RowsProps) => {
  const { route } = useLocation();
  const { kind = "", q = "" } = query;
  const rows = all.filter((row) => (kind === "" || row.flow_type === kind) && (q === "" || isFound(row, q)));
  useMoves(rows, openId, (id) => route(addressOf(id, query)));
  const selection = useSelection(rows, openId);
  return (
    <>
      {rows.length === 0 ? <NoRows isFiltered={all.length > 0} /> : null}
      <ul class="inbox-rows">
        {rows.map((row) => (
          <InboxRow
            key={row.approval_id}
            row={row}
            isOpen={row.approval_id === openId}
            address={addressOf(row.approval_id, query)}
            pick={selection.pickOf(row)}
          />
        ))}
      </ul>
      <Selected chosen={selection.chosen} drop={selection.drop} />
      {isCut ? <p class="muted small pad">The first {plural(all.length, "approval")}. Search for the others.</p> : null}
    </>
  );
};

interface RowsProps {
  readonly all: readonly Listed[];
  readonly openId: string | null;
  readonly query: Readonly<Record<string, string>>;
  readonly isCut: boolean;
}

export const Inbox = ({ openId, isHistory }: { readonly openId: string | null; readonly isHistory: boolean }) => {
  const { query, route } = useLocation();
  const [text, setText] = useState(query["q"] ?? "");
  const { view: _view, ...rest } = query;
  const box = useRef<HTMLDivElement>(null);
  const read = useRead(
    seller.listApprovals,
    isHistory
      ? { status: ["approved", "rejected", "timed_out"], sort: "created", limit: 200 }
      : { status: ["pending"], sort: "expires", limit: 200 },
    ["approval.", "deal."],
  );
  const search = (q: string): void => {
    setText(q);
    const { q: _before, ...others } = query;
    route(addressOf(openId, q === "" ? others : { ...others, q }), true);
  };
  useKeys({
    f: () => box.current?.querySelector("input")?.focus(),
    Escape: () => {
      if (openId !== null) route(addressOf(null, query));
    },
  });
  const Title = openId === null ? "h1" : "h2";
  return (
    <div class="list" ref={box}>
      <div class="list-head">
        <Title class="title" tabIndex={-1}>
          Approvals
        </Title>
        <p class="muted">{read.output === null ? " " : summary(read.output.waiting)}</p>
        <Field
          label="Find a buyer, product or id"
          isLabelHidden
          type="search"
          placeholder="Find a buyer, product or id"
          value={text}
          onInput={search}
          maxLength={100}
        />
        <Choices
          label="View"
          choices={[
            { value: "", label: "Waiting" },
            { value: "history", label: "History" },
          ]}
          chosen={isHistory ? "history" : ""}
          linkTo={(view) => addressOf(null, view === "" ? rest : { ...rest, view })}
        />
        <KindChoices rows={read.output?.approvals ?? []} query={query} />
      </div>
      <Shown read={read} lines={6}>
        {({ approvals, next_cursor: next }) => (
          <Rows all={approvals} openId={openId} query={query} isCut={next !== null} />
        )}
      </Shown>
    </div>
  );
};
