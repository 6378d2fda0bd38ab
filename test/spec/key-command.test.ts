import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addKeyCommand } from "../../agents/commands/host/keys.ts";
import { covers } from "../requirements.ts";
import { startBuyer } from "./launched.ts";

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "parley-key-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const keyCreateIn = async (
  environment: Readonly<Record<string, string>>,
  ...flags: string[]
): Promise<readonly string[]> => {
  const printed: string[] = [];
  const program = new Command("parley").exitOverride();
  addKeyCommand(program, {
    environment,
    print: (line) => void printed.push(line),
    onStop: () => undefined,
    onUsr2: () => undefined,
    unheard: new AbortController().signal,
  });
  await program.parseAsync(["node", "parley", "key", "create", "--agent", "buyer", ...flags]);
  return printed;
};

const keyCreate = (...flags: string[]): Promise<readonly string[]> => keyCreateIn({}, "--data", dir, ...flags);

describe("key create: the first operator key of a buyer", () => {
  test("it is minted on the host before the server was ever started, shown once, and opens the server", async () => {
    covers("buyer.operator-keys.first-by-command", "buyer.operator-keys.command-label");
    covers("buyer.operator-keys.command-prints-once", "buyer.auth.stored-hashed");
    const printed = await keyCreate("--label", "night desk");
    const secrets = printed.filter((line) => line.startsWith("abk_live_"));
    expect(secrets).toHaveLength(1);
    const buyer = await startBuyer({}, dir);
    try {
      const headers = { "x-api-key": secrets[0] ?? "" };
      const { status, body, text } = await buyer.ask("GET", "/auth/api-keys", { headers });
      expect(status).toBe(200);
      expect(body["keys"]).toMatchObject([{ label: "night desk", is_active: true }]);
      expect(text).not.toContain(secrets[0]);
      const second = await keyCreate("--label", "day desk", "--quiet");
      expect((await buyer.ask("GET", "/bookings", { headers: { "x-api-key": second[0] ?? "" } })).status).toBe(200);
    } finally {
      await buyer.close();
    }
  });

  test("quiet prints the key and nothing else", async () => {
    covers("buyer.operator-keys.command-quiet");
    const other = await mkdtemp(join(tmpdir(), "parley-key-"));
    const printed = await keyCreate("--label", "quiet desk", "--quiet", "--data", other);
    expect(printed).toEqual([expect.stringMatching(/^abk_live_[A-Za-z0-9_-]{43}$/)]);
    await rm(other, { recursive: true, force: true });
  });

  test("it finds the store of the server by the same DATABASE_URL", async () => {
    covers("buyer.service.setting.database-url", "buyer.operator-keys.first-by-command");
    const other = await mkdtemp(join(tmpdir(), "parley-key-"));
    const [secret] = await keyCreateIn({ DATABASE_URL: `lowdb:${other}` }, "--label", "desk", "--quiet");
    const buyer = await startBuyer({}, other);
    try {
      expect((await buyer.ask("GET", "/bookings", { headers: { "x-api-key": secret ?? "" } })).status).toBe(200);
    } finally {
      await buyer.close();
    }
  });
});
