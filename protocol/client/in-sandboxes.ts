import { Headers, Response } from "undici";
import { sandboxHeader } from "../door/sandbox.ts";
import type { Outbound } from "./outbound.ts";

/** A seller may be started anew as another one. */
const knownMs = 60_000;

const noSandbox = (origin: string): Response =>
  Response.json(
    {
      error: "sandbox_refused",
      message:
        `${origin} has no sandbox, so this buyer's sandbox buys nothing there. Ask its operator to start it with ` +
        "SANDBOX=calls.",
    },
    { status: 400 },
  );

/**
 * The way out of a buyer that is a sandbox. A seller that does not know the header would do real business, so each is
 * first asked for what changes nothing, and gets no call unless that answer says that it is a sandbox's.
 */
export const inSandboxesOnly = (outbound: Outbound, nowMs: () => number): Outbound => {
  const known = new Map<string, { readonly untilMs: number; readonly isSandbox: Promise<boolean> }>();

  const ask = async (origin: string): Promise<boolean> => {
    const answer = await outbound.fetch(`${origin}/healthz`, {
      headers: { [sandboxHeader]: "true" },
      redirect: "manual",
    });
    await answer.body?.cancel();
    return answer.headers.get(sandboxHeader) === "true";
  };

  const isSandbox = (origin: string): Promise<boolean> => {
    const before = known.get(origin);
    if (before !== undefined && nowMs() < before.untilMs) return before.isSandbox;
    const asked = ask(origin);
    known.set(origin, { untilMs: nowMs() + knownMs, isSandbox: asked });
    // The call itself tells what is in the way.
    asked.then(
      (found) => found || known.delete(origin),
      () => known.delete(origin),
    );
    return asked;
  };

  return {
    fetch: async (url, init) => {
      const { origin } = new URL(url);
      if (!(await isSandbox(origin))) return noSandbox(origin);
      const headers = new Headers(init.headers);
      headers.set(sandboxHeader, "true");
      return outbound.fetch(url, { ...init, headers: Object.fromEntries(headers) });
    },
    close: () => outbound.close(),
  };
};
