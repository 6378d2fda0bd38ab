import type { OutputOf } from "../../agent/api.ts";
import { screenOf } from "../../address.ts";
import { nowMs } from "../../clock.ts";
import { duration, moneyOf, plain, plural, share } from "../../form.ts";
import * as seller from "../../agent/seller.generated.ts";
import { Card, Chip } from "../../parts/bits.tsx";
import { Page } from "../../parts/page.tsx";
import { Shown } from "../../parts/states.tsx";
import { useRead } from "../../agent/read.ts";
import { session } from "../../agent/session.ts";
import { wordOf } from "../../words.ts";
import type { Screen } from "../screen.ts";
import { DayActivity } from "../day-activity.tsx";
import { Latest } from "../latest.tsx";

type Desk = OutputOf<typeof seller.getDeskStatus>;

type TileName =
  | "approvals"
  | "handovers"
  | "negotiations"
  | "activation"
  | "changes"
  | "orders"
  | "webhooks"
  | "refusals"
  | "inventory";

interface Tile {
  readonly name: TileName;
  readonly label: string;
  readonly path: string;
  readonly says: (desk: Desk) => string;
}

const tiles: readonly Tile[] = [
  {
    name: "approvals",
    label: "Approvals",
    path: "approvals",
    says: ({ approvals: { count, values } }) => `${plural(count, "waits", "wait")}, worth ${moneyOf(values)}`,
  },
  {
    name: "handovers",
    label: "Want a person",
    path: "talks",
    says: ({ handovers: { count } }) => plural(count, "buyer waits for an answer", "buyers wait for an answer"),
  },
  {
    name: "negotiations",
    label: "Price talk",
    path: "negotiations?status=active",
    says: ({ negotiations: { count } }) => `${count} open`,
  },
  {
    name: "activation",
    label: "To activate",
    path: "deals?status=to_activate",
    says: ({ activation: { count } }) => plural(count, "deal"),
  },
  {
    name: "orders",
    label: "Stuck orders",
    path: "orders?status=failed",
    says: ({ orders: { count } }) => `${count} failed`,
  },
  {
    name: "changes",
    label: "Changes",
    path: "changes",
    says: ({ changes: { count } }) => plural(count, "request"),
  },
  {
    name: "webhooks",
    label: "Webhooks",
    path: "webhooks",
    says: ({ webhooks: { count, dead } }) => `${count} failing, ${dead} dead`,
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

const agesOf = (oldest: string | null): string =>
  oldest === null ? "" : `oldest ${duration(nowMs.value - Date.parse(oldest))}`;

const TileLink = ({ tile, desk }: { readonly tile: Tile; readonly desk: Desk }) => {
  const { state, oldest_at: oldest } = desk[tile.name];
  return (
    <a class={`tile ${state}`} href={screenOf(tile.path)}>
      <span class="strong">{tile.label}</span>
      {state === "act" ? <Chip tone="warn">needs you</Chip> : null}
      <span class="muted">{tile.says(desk)}</span>
      <span class="muted small">{agesOf(oldest)}</span>
    </a>
  );
};

const Tiles = ({ desk }: { readonly desk: Desk }) => {
  const sorted = tiles.toSorted((one, other) => worst[desk[one.name].state] - worst[desk[other.name].state]);
  const isQuiet = ({ name }: Tile): boolean => desk[name].state === "ok";
  return (
    <>
      <div class="tiles">
        {sorted
          .filter((tile) => !isQuiet(tile))
          .map((tile) => (
            <TileLink key={tile.name} tile={tile} desk={desk} />
          ))}
      </div>
      <ul class="quiet-tiles muted">
        {sorted.filter(isQuiet).map((tile) => (
          <li key={tile.name}>
            <a href={screenOf(tile.path)}>{tile.label}</a> {tile.says(desk)}
          </li>
        ))}
      </ul>
    </>
  );
};

const Activity = () => {
  const read = useRead(seller.getActivity, { step: "day" }, ["deal."]);
  return (
    <Card title="Deals and value by day" note="the last 30 days, UTC">
      <Shown read={read}>
        {({ points, totals }) => (
          <DayActivity
            points={points}
            totals={totals}
            more={{ name: "Quotes", value: String(totals.quotes ?? "none") }}
          />
        )}
      </Shown>
    </Card>
  );
};

/** Failing webhooks are one thing, however many deliveries fail. */
const neededIn = (desk: Desk, name: TileName): number => {
  if (desk[name].state !== "act") return 0;
  return name === "webhooks" ? 1 : desk[name].count;
};

const HomeScreen = () => {
  const read = useRead(seller.getDeskStatus, {}, [""]);
  const needs = tiles.reduce((sum, { name }) => sum + (read.output === null ? 0 : neededIn(read.output, name)), 0);
  const title = needs === 0 ? "Nothing needs you" : `${plural(needs, "thing needs", "things need")} you`;
  return (
    <Page title={read.output === null ? "Home" : title} note={session.value?.sandbox === true ? "Sandbox" : "Live"}>
      <Shown read={read}>{(desk) => <Tiles desk={desk} />}</Shown>
      <Activity />
      <Latest read={useRead(seller.listEvents, { limit: 8 }, [""])} first="A buyer's first quote appears here." />
    </Page>
  );
};

export const home: Screen = { path: "home", label: "Home", key: "h", component: HomeScreen };
