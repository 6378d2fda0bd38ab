import type { EdgeEnv } from "../../platform.ts";
import { decode, encode } from "./codings.ts";
import { nativePrimitives } from "./native-crypto.ts";

/** What a runtime without a store offers the core. */
export const plainEnv = (own: Pick<EdgeEnv, "traits" | "send" | "log">): EdgeEnv => ({
  ...own,
  tunnels: false,
  decode,
  encode,
  primitives: nativePrimitives,
  now: Date.now,
  random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
  deployment: { staging: false },
});
