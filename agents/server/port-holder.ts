import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** The state LISTEN in the tables of proc(5). */
const listening = "0A";

/** What `read` gives, or nothing: processes end while they are looked at, others may not be looked into. */
const attempt = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

/** The links, as file descriptors show them, of the sockets that listen on a port. */
const socketsOn = (port: number): ReadonlySet<string> => {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const lines = ["tcp", "tcp6"].flatMap((table) => attempt(() => readFileSync(`/proc/net/${table}`, "utf8")) ?? "");
  const rows = lines.flatMap((text) => text.split("\n").map((line) => line.trim().split(/\s+/)));
  const open = rows.filter(([, local, , state]) => local?.endsWith(suffix) === true && state === listening);
  return new Set(open.map((row) => `socket:[${row[9]}]`));
};

const holdsOneOf = (pid: string, sockets: ReadonlySet<string>): boolean =>
  (attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []).some((fd) =>
    sockets.has(attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? ""),
  );

/** The process that listens on a port, in words (decision 68); null where the system or its rights do not tell. */
export const portHolder = (port: number): string | null => {
  const sockets = socketsOn(port);
  if (sockets.size === 0) return null;
  const pids = (attempt(() => readdirSync("/proc")) ?? []).filter((name) => /^\d+$/.test(name));
  const pid = pids.find((name) => holdsOneOf(name, sockets));
  if (pid === undefined) return null;
  const name = attempt(() => readFileSync(`/proc/${pid}/comm`, "utf8"))?.trim();
  return name === undefined ? `process ${pid}` : `process ${pid} (${name})`;
};
