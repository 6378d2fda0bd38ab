import process from "node:process";
import { allowListOf } from "../../../../protocol/neutral/address-guard.ts";
import type { EdgeEnv, EdgeTraits, LogEntry } from "../../platform.ts";
import type { EdgeSources } from "../../startup/load.ts";
import { createSend } from "./outbound.ts";
import { plainEnv } from "./plain-env.ts";

const log = (entry: LogEntry): void => {
  process.stderr.write(`${JSON.stringify({ time: Date.now(), agent: "edge", ...entry })}\n`);
};

/** What a runtime with the sockets and streams of a Node process offers the core. */
export const processEnv = (traits: EdgeTraits, sources: EdgeSources): EdgeEnv =>
  plainEnv({ traits, send: createSend(allowListOf(sources.environment.OUTBOUND_ALLOW ?? "")), log });
