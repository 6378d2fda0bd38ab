import { stringifySetCookie } from "cookie";
import { z } from "zod";
import { consoleCookies, isFromConsole } from "../../protocol/door/door-call.ts";
import type { DoorAnswer, DoorRequest, DoorRoute } from "../../protocol/door/door.ts";
import { isoTime } from "../../protocol/neutral/iso-time.ts";
import { defaultBodyLimits, parseJson } from "../../protocol/neutral/json-input.ts";
import { queryOf } from "../../protocol/neutral/query.ts";
import { isRefusal, Refused, refuse } from "../../protocol/neutral/refusals.ts";
import { consolePages } from "../../protocol/rest/pages/console-pages.ts";
import type { Admission } from "../../protocol/seam/admission.ts";
import type { Runner } from "../../protocol/seam/run/run.ts";
import { answerOf } from "./answer.ts";
import { sessionListRoutes } from "./session-list.ts";
import type { ConsoleSessions, OpenedSession } from "./sessions.ts";

export type ConsoleAgent = "seller" | "buyer";

export interface ConsoleRouteParts {
  readonly name: ConsoleAgent;
  readonly isSecure: boolean;
  readonly runner: Pick<Runner, "admit" | "run">;
  readonly sessions: ConsoleSessions;
  /** Null where there is none yet. */
  readonly newestEventId: () => Promise<string | null>;
}

const signInInput = z.union([
  z.object({ key: z.string().min(1).max(512) }),
  z.object({ code: z.string().min(1).max(64) }),
]);

const whoOutput = z.looseObject({
  role: z.string(),
  label: z.string().nullable(),
  key_id: z.string().nullable(),
  organization_name: z.string(),
  sandbox: z.boolean(),
});

type Who = z.output<typeof whoOutput>;

/** One sentence for every cause: who guesses learns nothing. */
const notSignedIn = (): Refused =>
  new Refused(
    refuse("invalid_api_key", { message: "This does not sign in. Use an operator's key, or a new one-time code." }),
  );

/** A form of another site can send neither the header nor JSON. */
const checkConsole = ({ headers }: DoorRequest): void => {
  if (isFromConsole(headers)) return;
  const message = "The console's own page alone signs in and out here.";
  throw new Refused(refuse("malformed_request", { message }));
};

const longestSeconds = 12 * 3600;

/** The answer is null where the caller is no operator. */
const whoAsks =
  (runner: ConsoleRouteParts["runner"]) =>
  async (admission: Admission, requestId: string): Promise<Who | null> => {
    const outcome = await runner.run({
      operation: "get_caller",
      door: "rest",
      admission,
      requestId,
      input: () => ({ input: {} }),
    });
    if (outcome.kind === "bug") throw new Error("get_caller failed");
    if (outcome.kind !== "done") return null;
    const who = whoOutput.parse(outcome.output);
    return who.role === "buyer" ? null : who;
  };

interface Told {
  readonly agent: ConsoleAgent;
  readonly endsAtMs: number | null;
  readonly newestEventId: string | null;
}

const shownTo = (who: Who, { agent, endsAtMs, newestEventId }: Told) => ({
  signed_in: true,
  agent,
  role: who.role,
  label: who.label,
  organization_name: who.organization_name,
  sandbox: who.sandbox,
  expires_at: endsAtMs === null ? null : isoTime(endsAtMs),
  // The stream goes on behind it, so that nothing that is read after this answer has to be read twice.
  newest_event_id: newestEventId,
});

export const consoleRoutes = ({
  name,
  isSecure,
  runner,
  sessions,
  newestEventId,
}: ConsoleRouteParts): readonly DoorRoute[] => {
  const path = "/console/session";
  const whoIs = whoAsks(runner);
  const cookie = (value: string, maxAge: number): string =>
    stringifySetCookie(sessions.cookieName, value, {
      path: "/",
      httpOnly: true,
      sameSite: "strict",
      secure: isSecure,
      maxAge,
    });

  const openedBy = async (request: DoorRequest): Promise<OpenedSession | null> => {
    const input = signInInput.safeParse(parseJson(await request.readBody(), defaultBodyLimits));
    if (!input.success) return null;
    const { address, requestId } = request;
    if ("code" in input.data) return sessions.openByCode(input.data.code, address);
    const claim = { apiKey: input.data.key, authorization: null, cookies: null, address };
    const who = await whoIs(runner.admit(claim), requestId);
    return who === null || who.key_id === null ? null : sessions.open(who.key_id, address);
  };

  const signIn = async (request: DoorRequest): Promise<DoorAnswer> => {
    checkConsole(request);
    const opened = await openedBy(request);
    if (opened === null) {
      throw notSignedIn();
    }
    const claim = { apiKey: null, authorization: null, cookies: `${sessions.cookieName}=${opened.value}` };
    const who = await whoIs(runner.admit({ ...claim, address: request.address }), request.requestId);
    if (who === null) throw notSignedIn();
    const told = { agent: name, endsAtMs: opened.endsAtMs, newestEventId: await newestEventId() };
    return answerOf(201, shownTo(who, told), { "Set-Cookie": cookie(opened.value, longestSeconds) });
  };

  const look = async (request: DoorRequest): Promise<DoorAnswer> => {
    const cookies = consoleCookies(request.headers);
    const isOpen = cookies !== null && !isRefusal((await sessions.find(cookies, request.address)) ?? ended);
    const who = isOpen ? await whoIs(request.admission, request.requestId) : null;
    if (who === null || cookies === null) return answerOf(200, { signed_in: false, agent: name });
    const endsAtMs = await sessions.endsAtMs(cookies);
    return answerOf(200, shownTo(who, { agent: name, endsAtMs, newestEventId: await newestEventId() }));
  };

  const signOut = async (request: DoorRequest): Promise<DoorAnswer> => {
    checkConsole(request);
    const cookies = consoleCookies(request.headers);
    const isAll = queryOf(request.node.request.url ?? "")?.get("all") === "true";
    if (cookies !== null) await sessions.end(cookies, isAll);
    return answerOf(200, { signed_in: false, agent: name }, { "Set-Cookie": cookie("", 0) });
  };

  return [
    { method: "POST", path, handle: signIn },
    { method: "GET", path, handle: look },
    { method: "DELETE", path, handle: signOut },
    ...sessionListRoutes(sessions),
    ...consolePages(name),
  ];
};

const ended = refuse("authentication_required");
