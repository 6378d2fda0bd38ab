import { consoleCookies } from "../../protocol/door/door-call.ts";
import type { DoorAnswer, DoorRequest, DoorRoute } from "../../protocol/door/door.ts";
import { isoTime } from "../../protocol/neutral/iso-time.ts";
import { isRefusal, Refused, refuse } from "../../protocol/neutral/refusals.ts";
import { answerOf } from "./answer.ts";
import type { ConsoleSessions, ListedSession } from "./sessions.ts";

const view = (one: ListedSession) => ({
  session_id: one.id,
  address: one.address,
  created_at: isoTime(one.created_at_ms),
  last_seen_at: isoTime(one.seen_at_ms),
  expires_at: isoTime(one.expires_at_ms),
  is_this: one.isThis,
});

/** Who is signed in with the same key, and where; each can be ended from any of them. */
export const sessionListRoutes = (sessions: ConsoleSessions): readonly DoorRoute[] => {
  const cookiesOf = async ({ headers, address }: DoorRequest): Promise<string> => {
    const cookies = consoleCookies(headers);
    const caller = cookies === null ? null : await sessions.find(cookies, address);
    if (cookies === null || caller === null) throw new Refused(refuse("authentication_required"));
    if (isRefusal(caller)) throw new Refused(caller);
    return cookies;
  };
  const listed = async (cookies: string): Promise<DoorAnswer> =>
    answerOf(200, { sessions: (await sessions.list(cookies)).map(view) });
  return [
    { method: "GET", path: "/console/sessions", handle: async (request) => listed(await cookiesOf(request)) },
    {
      method: "DELETE",
      path: "/console/sessions/:session_id",
      handle: async (request) => {
        const cookies = await cookiesOf(request);
        const isEnded = await sessions.endOne(cookies, request.params["session_id"] ?? "");
        if (!isEnded) throw new Refused(refuse("not_found", { message: "Your key has no such session any more." }));
        return listed(cookies);
      },
    },
  ];
};
