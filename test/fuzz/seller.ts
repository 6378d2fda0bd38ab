import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Child, compileProgram, startChild } from "../storage/children.ts";
import { openPeer, type Target } from "./campaign.ts";

export interface FuzzedSeller {
  readonly target: Target;
  /** Of living objects. */
  memory(): Promise<number>;
  errors(): Promise<readonly unknown[]>;
  /** Over what was stored. */
  restart(): Promise<FuzzedSeller>;
  close(): Promise<void>;
}

const hostCall = async (child: Child, operation: string, input: unknown): Promise<string> =>
  String((await child.run<Record<string, unknown>>("call", { operation, input }))["api_key"]);

const secretsOf = async (child: Child): Promise<Target["secrets"]> => ({
  anonymous: null,
  buyer: await hostCall(child, "create_api_key", { seat_id: "s-1", agency_id: "a-1", advertiser_id: "v-1" }),
  "other buyer": await hostCall(child, "create_api_key", { seat_id: "s-2" }),
  operator: await hostCall(child, "create_operator_key", { label: "fuzz", role: "operator" }),
  senior: await hostCall(child, "create_operator_key", { label: "fuzz senior", role: "senior" }),
  stranger: "ask_live_nobody",
});

/** Rate limits are far, because one caller asks this much. */
export const openFuzzedSeller = async (): Promise<FuzzedSeller> => {
  const program = await compileProgram(join(import.meta.dirname, "..", "processes", "seller-child.ts"));
  const dir = await mkdtemp(join(tmpdir(), "parley-fuzz-"));
  const peer = await openPeer();
  const environment = {
    RATE_LIMIT_PER_MINUTE: "1000000",
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: "1000000",
    APPROVAL_GATE_ENABLED: "true",
    APPROVAL_REQUIRED_FLOWS: "proposal,negotiation,deal",
    APPROVAL_REQUIRED_ABOVE_VALUE: "20000",
    OUTBOUND_ALLOW: new URL(peer.url).host,
  };
  const start = () => startChild(program, { place: { driver: "lowdb", dir }, environment }, ["--expose-gc"]);
  const over = async (child: Child, secrets: Target["secrets"]): Promise<FuzzedSeller> => ({
    target: { url: await child.run("url"), secrets, peerUrl: peer.url },
    memory: () => child.run("memory"),
    errors: () => child.run("errors"),
    restart: async () => {
      await child.end();
      return over(start(), secrets);
    },
    close: async () => {
      await child.end();
      await peer.close();
      await rm(dir, { recursive: true, force: true });
    },
  });
  const child = start();
  return over(child, await secretsOf(child));
};
