import { setTimeout as wait } from "node:timers/promises";
import { streamEvents, StreamEnded } from "../../../protocol/client/event-stream.ts";
import type { Client } from "../../../protocol/client/client.ts";
import { isMembers } from "../../../protocol/neutral/json-input.ts";
import type { Members } from "../../../protocol/neutral/members.ts";
import type { AgentName } from "../../host/store-location.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";
import { type CommandContext, UnreachableFailure, UsageFailure } from "../context.ts";
import { type Reached, sentence } from "./reach.ts";
import { memberAt, valueText } from "./shown.ts";

interface Told {
  /** A sentence about the connection, for a person. */
  readonly note: (text: string) => void;
  readonly event: (event: Members) => void;
}

const lookAgainMs = 1000;
const mostAtOnce = 500;

/** Of an agent of this machine, whose control socket answers one question at a time. */
const followHere = async ({ call }: Reached, { event: tell }: Told, signal: AbortSignal): Promise<void> => {
  let last: unknown = null;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const { events } = await call("list_events", { limit: isFirst ? 1 : mostAtOnce });
    const rows = (events as readonly Members[]).filter(isMembers);
    const known = rows.findIndex((row) => row["event_id"] === last);
    const fresh = isFirst ? [] : rows.slice(0, known === -1 ? rows.length : known);
    for (const row of fresh.toReversed()) tell(row);
    last = rows[0]?.["event_id"] ?? last;
    await wait(lookAgainMs, undefined, { signal }).catch(() => undefined);
  }
};

const firstPauseMs = 1000;
const longestPauseMs = 30_000;

/** Goes on behind the last event after each break; what the agent refuses ends it. */
const followThere = async (
  client: Client,
  agent: AgentName,
  { note, event: tell }: Told,
  signal: AbortSignal,
): Promise<void> => {
  let lastId: string | null = null;
  let pauseMs = 0;
  let isBack = false;
  while (!signal.aborted) {
    try {
      for await (const streamed of streamEvents(client, lastId, signal)) {
        if (streamed === "open") {
          if (isBack) note("-- back --");
          pauseMs = 0;
          isBack = false;
          continue;
        }
        lastId = streamed.id;
        tell(streamed.record);
      }
    } catch (error) {
      if (!(error instanceof StreamEnded)) throw error;
      const { status, code } = error.failure;
      const words = sentence(error.failure, "list_events", agent, client.target.apiKey !== null);
      const isRefused = status >= 400 && status < 500 && status !== 429;
      if (isRefused) throw new StartFailure(words);
      if (lastId === null && !isBack && status === 0 && code === "connect_error") {
        throw new UnreachableFailure(words);
      }
      pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, pauseMs * 2));
      isBack = true;
      note(`-- connection lost, again in ${pauseMs / 1000} s --`);
      await wait(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
};

const filters = ["event_type", "flow_id", "session_id", "deal_id"] as const;

const isWanted = (event: Members, wanted: Members): boolean =>
  filters.every((name) => wanted[name] === undefined || event[name] === wanted[name]);

const payloadPrice = (payload: unknown): string => {
  for (const name of ["final_cpm", "seller_price", "price", "agreed_price"]) {
    const price = memberAt(payload, name);
    if (typeof price === "number")
      return `${valueText("price", price)} ${valueText("", memberAt(payload, "currency"))}`;
  }
  return "";
};

const eventLine = (event: Members): string => {
  const at = String(event["timestamp"]).slice(11, 19);
  const shown = ["buyer_name", "product_name"].map((name) => valueText(name, event[name]));
  const record = valueText("", event["deal_id"] === "" ? event["flow_id"] : event["deal_id"]);
  const words = [...shown, record, payloadPrice(event["payload"])].filter((text) => text !== "-" && text !== "");
  return [valueText("", at), valueText("", event["event_type"]).padEnd(24), ...words].join("  ");
};

/** Events as they come, until the command is stopped. Times are UTC. */
export const follow = async (
  context: CommandContext,
  reached: Reached,
  wanted: Members,
  isForProgram: boolean,
): Promise<void> => {
  const other = Object.keys(wanted).find((name) => !(filters as readonly string[]).includes(name));
  if (other !== undefined) {
    throw new UsageFailure(`--follow takes no --${other.replaceAll("_", "-")}: only ${filters.join(", ")}.`);
  }
  if (reached.isAlone) {
    throw new StartFailure(
      `No ${reached.agent} runs on this folder, so nothing happens there. Start it, or name --url.`,
    );
  }
  const stop = new AbortController();
  context.onStop(() => {
    stop.abort();
    return Promise.resolve();
  });
  const told: Told = {
    note: (text) => void process.stderr.write(`${text}\n`),
    event: (event) => {
      if (isWanted(event, wanted)) context.print(isForProgram ? JSON.stringify(event) : eventLine(event));
    },
  };
  const signal = AbortSignal.any([stop.signal, context.unheard]);
  await (reached.client === null
    ? followHere(reached, told, signal)
    : followThere(reached.client, reached.agent, told, signal));
};
