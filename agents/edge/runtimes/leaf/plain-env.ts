import process from "node:process";
import { nativePrimitives } from "./native-crypto.ts";
import { allowListOf } from "../../../../protocol/neutral/address-guard.ts";
import type { EdgeEnv, EdgeTraits, LogEntry } from "../../platform.ts";
import type { EdgeSources } from "../../startup/load.ts";
import { decode, encode } from "./codings.ts";
import { createSend } from "./outbound.ts";

const log = (entry: LogEntry): void => {
  process.stderr.write(`${JSON.stringify({ time: Date.now(), agent: "edge", ...entry })}\n`);
};

export const plainEnv = (traits: EdgeTraits, sources: EdgeSources): EdgeEnv => {
  const allow = allowListOf(sources.environment.OUTBOUND_ALLOW ?? "");
  return {
    traits,
    send: createSend(allow),
    tunnels: false,
    decode,
    encode,
    primitives: nativePrimitives,
    now: Date.now,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    log,
    deployment: { staging: false },
  };
};
