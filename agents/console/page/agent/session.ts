import { signal } from "@preact/signals";
import { type Failure, type Operation, type Reply, request, signedOut } from "./api.ts";

export interface Session {
  readonly signed_in: boolean;
  readonly agent: "seller" | "buyer";
  readonly role?: "viewer" | "operator" | "senior";
  readonly label?: string | null;
  readonly organization_name?: string;
  readonly sandbox?: boolean;
  readonly expires_at?: string | null;
  /** Null: there was none yet. */
  readonly newest_event_id?: string | null;
}

/** Null until the agent has answered. */
export const session = signal<Session | null>(null);

export const agent = document.documentElement.dataset["agent"] === "buyer" ? "buyer" : "seller";

const path = "/console/session";

const keep = (reply: Reply<unknown>): Failure | null => {
  if (!reply.ok) return reply;
  session.value = reply.output as Session;
  signedOut.value = false;
  return null;
};

const post = async (body: unknown): Promise<Failure | null> =>
  keep(
    await request(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

export const signInWithKey = (key: string): Promise<Failure | null> => post({ key });

export const signOut = async (isAll: boolean): Promise<Failure | null> =>
  keep(await request(isAll ? `${path}?all=true` : path, { method: "DELETE" }));

/** Taken out of the address bar before it is sent, so that it stays in no history. */
const takeCode = (): string | null => {
  const code = /^#code=([0-9A-Z-]{8,64})$/i.exec(location.hash)?.[1] ?? null;
  if (code !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return code;
};

/** A used or expired code falls back to the session that is there. */
export const openSession = async (): Promise<Failure | null> => {
  const code = takeCode();
  const refused = code === null ? null : await post({ code });
  if (code !== null && refused === null) return null;
  const failed = keep(await request(path, { method: "GET" }));
  return failed ?? (session.value?.signed_in === true ? null : refused);
};

export const canWrite = (): boolean => session.value?.role === "operator" || session.value?.role === "senior";

export interface OpenSession {
  readonly session_id: string;
  readonly address: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly is_this: boolean;
}

/** Like signing in, of the console alone and no operation. */
export const openSessions: Operation<object, { readonly sessions: readonly OpenSession[] }> = {
  name: "console_sessions",
  method: "GET",
  paths: ["/console/sessions"],
};

export const endSession = async (id: string): Promise<Failure | null> => {
  const reply = await request(`/console/sessions/${encodeURIComponent(id)}`, { method: "DELETE" });
  return reply.ok ? null : reply;
};
