import { useState } from "preact/hooks";
import type { OutputOf } from "../../../agent/api.ts";
import { screenOf, useAddress } from "../../../address.ts";
import { useRead } from "../../../agent/read.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { session } from "../../../agent/session.ts";
import { nowMs } from "../../../clock.ts";
import { buyerName, duration, left, moneyOf, plain, plural, roundMoney, share } from "../../../form.ts";
import { Card, Chip } from "../../../parts/bits.tsx";
import { Choices } from "../../../parts/field.tsx";
import { Page } from "../../../parts/page.tsx";
import { Empty, Shown } from "../../../parts/states.tsx";
import { flowWords, wordOf } from "../../../words.ts";
import { Latest } from "../../latest.tsx";
import { lastDays, Report } from "./report.tsx";
import { ActivateButton, ActivateSheet } from "../deals/activate-all.tsx";

type Desk = OutputOf<typeof seller.getDeskStatus>;
const spans = ["7", "28"] as const;

interface Tile {
  readonly name: "handovers" | "negotiations" | "changes" | "orders" | "webhooks" | "refusals" | "inventory";
  readonly label: string;
  readonly path: string;
  readonly says: (desk: Desk) => string;
}

/** What has no money and no deadline of its own; the rest has rows. */
const tiles: readonly Tile[] = [
  {
    name: "handovers",
    label: "Want a person",
    path: "talks",
    says: ({ handovers: { count } }) => plural(count, "buyer waits for an answer", "buyers wait for an answer"),
  },
  {
    name: "changes",
    label: "Changes",
    path: "changes?status=pending_approval",
    says: ({ changes: { count } }) => plural(count, "request"),
  },
  {
    name: "orders",
    label: "Stuck orders",
    path: "orders?status=failed",
    says: ({ orders: { count } }) => `${count} failed`,
  },
  {
    name: "webhooks",
    label: "Webhooks",
    path: "webhooks",
    says: ({ webhooks: { count, dead } }) => `${count} failing, ${dead} dead`,
  },
  {
    name: "negotiations",
    label: "Price talk",
    path: "negotiations?status=active",
    says: ({ negotiations: { count } }) => `${count} open`,
  },
  {
    name: "refusals",
    label: "Refusals",
    path: "setup",
    says: ({ refusals: { count, most } }) => `${count} today${most === null ? "" : `, most: ${wordOf({}, most)}`}`,
  },
  {
    name: "inventory",
    label: "Inventory",
    path: "products",
    says: ({ inventory: { fullest } }) =>
      fullest === null
        ? "nothing held in the next year"
        : `${plain(fullest.name, 40)} ${share(fullest.held_share)} held on its fullest day of the next year`,
  },
];

const worst = { act: 0, look: 1, ok: 2 } as const;

const Tiles = ({ desk }: { readonly desk: Desk }) => {
  const sorted = tiles.toSorted((one, other) => worst[desk[one.name].state] - worst[desk[other.name].state]);
  const acting = sorted.filter(({ name }) => desk[name].state === "act");
  return (
    <>
      {acting.length === 0 ? null : (
        <div class="tiles">
          {acting.map((tile) => (
            <a key={tile.name} class="tile act" href={screenOf(tile.path)}>
              <span class="strong">{tile.label}</span>
              <Chip tone="warn">needs you</Chip>
              <span class="muted">{tile.says(desk)}</span>
              <span class="muted small">
                {desk[tile.name].oldest_at === null
                  ? ""
                  : `oldest ${duration(nowMs.value - Date.parse(desk[tile.name].oldest_at ?? ""))}`}
              </span>
            </a>
          ))}
        </div>
      )}
      <ul class="quiet-tiles muted">
        {sorted
          .filter((tile) => !acting.includes(tile))
          .map((tile) => (
            <li key={tile.name}>
              <a href={screenOf(tile.path)}>{tile.label}</a> {tile.says(desk)}
            </li>
          ))}
      </ul>
    </>
  );
};

const mostWaiting = 5;

type Pending = OutputOf<typeof seller.listApprovals>["approvals"][number];
type Deals = readonly OutputOf<typeof seller.listDeals>["deals"][number][];

const WaitingRow = ({ row }: { readonly row: Pending }) => (
  <li>
    <span class="muted">{wordOf(flowWords, row.flow_type)}</span>
    <b class="clip">{buyerName(row.buyer_name, row.buyer)}</b>
    <span class="clip">{plain(row.product_name ?? "")}</span>
    <b class="end">{row.value === null ? "" : roundMoney(row.value, row.currency)}</b>
    <span class="end warn-text">{left(row.expires_at, nowMs.value)}</span>
    <a class="button small" href={screenOf("approvals", row.approval_id)}>
      Decide
    </a>
  </li>
);

interface ActivationProps {
  readonly activate: (deals: Deals) => void;
}

/** What is trivial is one line. */
const ReadyToActivate = ({ activate }: ActivationProps) => {
  const ready = useRead(
    seller.listDeals,
    { status: ["proposed"], awaiting_approval: false, limit: 100 },
    ["deal.", "approval."],
    false,
  );
  const deals = ready.output?.deals ?? [];
  if (deals.length === 0) return null;
  const values: Record<string, number> = {};
  for (const { value, pricing } of deals) values[pricing.currency] = (values[pricing.currency] ?? 0) + (value ?? 0);
  return (
    <p class="notice ready row">
      <span>
        <a href={screenOf("deals?status=to_activate")}>To activate</a>:{" "}
        <b>{plural(deals.length, "deal is", "deals are")} ready</b>, {moneyOf(values)}
      </span>
      <ActivateButton deals={deals} press={activate} />
    </p>
  );
};

const waitingFirst = { status: ["pending" as const], sort: "expires" as const, limit: mostWaiting };

/** By deadline; the value beside it. */
const WaitsForYou = ({ desk, activate }: ActivationProps & { readonly desk: Desk }) => {
  const read = useRead(seller.listApprovals, waitingFirst, ["approval.", "deal."]);
  const { count } = desk.approvals;
  return (
    <Card
      title="Waits for you"
      note={
        <>
          by deadline, {Math.min(mostWaiting, count)} of {count} <a href={screenOf("approvals")}>See all</a>
        </>
      }
    >
      <Shown read={read} lines={3}>
        {({ approvals }) =>
          approvals.length === 0 ? (
            <p class="muted">No approval waits.</p>
          ) : (
            <ul class="lines waiting">
              {approvals.map((row) => (
                <WaitingRow key={row.approval_id} row={row} />
              ))}
            </ul>
          )
        }
      </Shown>
      <ReadyToActivate activate={activate} />
    </Card>
  );
};

/** Failing webhooks are one thing, however many deliveries fail. What is only to be activated is no decision. */
const neededIn = (desk: Desk, name: Tile["name"] | "approvals"): number => {
  if (desk[name].state !== "act") return 0;
  return name === "webhooks" ? 1 : desk[name].count;
};

const needsOf = (desk: Desk): number =>
  (["approvals", ...tiles.map(({ name }) => name)] as const).reduce((sum, name) => sum + neededIn(desk, name), 0);

const countText = (needs: number): string => `${plural(needs, "thing needs", "things need")} you`;

/** Money first, where some waits; then how much there is to do. */
const headOf = (desk: Desk): { readonly title: string; readonly note: string } => {
  const needs = needsOf(desk);
  const worth = moneyOf(desk.approvals.values);
  const where = session.value?.sandbox === true ? "Sandbox" : "Live";
  if (needs === 0) return { title: "Nothing needs you", note: where };
  if (worth === "none") return { title: countText(needs), note: where };
  return { title: `${worth} waits for you`, note: `${countText(needs)}. ${where}` };
};

export const HomeScreen = () => {
  const { query, linkTo } = useAddress();
  const days = query["days"] === "28" ? 28 : 7;
  const read = useRead(seller.getDeskStatus, {}, [""]);
  const [activated, setActivated] = useState<Deals | null>(null);
  const head = read.output === null ? { title: "Home" } : headOf(read.output);
  return (
    <Page {...head}>
      <Choices
        label="Days"
        choices={spans.map((value) => ({ value, label: `${value} days` }))}
        chosen={String(days)}
        linkTo={(value) => linkTo({ days: value === "7" ? null : value })}
      />
      <Report {...lastDays(days)}>
        <Shown read={read}>
          {(desk) => (
            <>
              {needsOf(desk) === 0 && desk.approvals.count === 0 && desk.activation.count === 0 ? (
                <Empty title="All is decided." />
              ) : (
                <WaitsForYou desk={desk} activate={setActivated} />
              )}
              <Tiles desk={desk} />
            </>
          )}
        </Shown>
      </Report>
      <Latest read={useRead(seller.listEvents, { limit: 8 }, [""])} first="A buyer's first quote appears here." />
      <ActivateSheet deals={activated} close={() => setActivated(null)} />
    </Page>
  );
};
