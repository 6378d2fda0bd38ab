import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { flattenedVerify, importJWK, type JWK } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cardKeyOf, cardSigningKey } from "../../../agents/server/card-key.ts";
import { canonicalJson } from "../../../protocol/neutral/canonical.ts";
import { type Started, startBuyer, startSeller } from "../../spec/launched.ts";
import { type Members, post } from "../wire.ts";

let seller: Started;
let buyer: Started;
let known: string;
let operator: string;
beforeAll(async () => {
  seller = await startSeller();
  buyer = await startBuyer();
  known = String((await seller.host("create_api_key", { label: "known" }))["api_key"]);
  operator = String((await seller.host("create_operator_key", { label: "desk" }))["api_key"]);
});
afterAll(async () => {
  await seller.close();
  await buyer.close();
});

const cardOf = async (agent: Started, version: string | null): Promise<Members> => {
  const headers = version === null ? {} : { "a2a-version": version };
  return (await agent.ask("GET", "/.well-known/agent-card.json", { headers })).body;
};

const keyFor = async (agent: Started, kid: string): Promise<JWK> => {
  const { keys } = (await agent.ask("GET", "/.well-known/jwks.json")).body as { keys: JWK[] };
  const found = keys.find((key) => key.kid === kid);
  if (found === undefined) throw new Error(`no key ${kid}`);
  return found;
};

describe("a2a cards: signatures", () => {
  test.each([["1.0"], [null]])("the SDK verifies the card of %j with the key of its `jku`", async (version) => {
    for (const agent of [seller, buyer]) {
      const card = await cardOf(agent, version);
      const asked: unknown[] = [];
      const verify = verifyAgentCardSignature((kid, jku) => {
        asked.push(jku);
        return keyFor(agent, kid);
      });
      await verify(AgentCard.fromJSON(card));
      expect(asked).toContain(`${agent.url}/.well-known/jwks.json`);
      const forged = AgentCard.fromJSON({ ...card, description: "Sells at half the price." });
      await expect(verify(forged)).rejects.toThrow();
    }
  });

  test("0.3: the card as it is written has a signature too", async () => {
    const { signatures, ...card } = await cardOf(seller, "0.3");
    const [first] = signatures as { protected: string; signature: string }[];
    const payload = Buffer.from(canonicalJson(card)).toString("base64url");
    const { kid } = JSON.parse(Buffer.from(String(first?.protected), "base64url").toString()) as { kid: string };
    const key = await importJWK(await keyFor(seller, kid), "ES256");
    const { protectedHeader } = await flattenedVerify({ ...first, payload, signature: String(first?.signature) }, key);
    expect(protectedHeader).toMatchObject({ alg: "ES256", typ: "JOSE", kid });
  });

  test("nothing of the private key is shown", async () => {
    const { keys } = (await seller.ask("GET", "/.well-known/jwks.json")).body as { keys: JWK[] };
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
  });
});

describe("a2a cards: the key", () => {
  test("is made once in the data directory, for its owner alone; a readable or broken file stops the start", async () => {
    const dir = await mkdtemp(join(tmpdir(), "parley-card-"));
    const place = { driver: "lowdb", dir } as const;
    const path = join(dir, "card-signing.key");
    const made = cardKeyOf(null, place);
    expect(cardKeyOf(null, place)?.equals(made as NonNullable<typeof made>)).toBe(true);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, "utf8")).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    await writeFile(path, "nothing");
    expect(() => cardKeyOf(null, place)).toThrow(/no P-256 private key/);
    await rm(dir, { recursive: true });
  });

  test("comes from the environment, line ends escaped or not; another curve is refused", () => {
    const pem = (namedCurve: string): string =>
      generateKeyPairSync("ec", { namedCurve }).privateKey.export({ type: "sec1", format: "pem" }).toString();
    const key = pem("prime256v1");
    for (const text of [key, key.replaceAll("\n", "\\n")]) {
      expect(cardSigningKey.schema.safeParse(text).success).toBe(true);
    }
    for (const text of [pem("secp384r1"), "x"]) expect(cardSigningKey.schema.safeParse(text).success).toBe(false);
    expect(cardKeyOf(null, { driver: "postgres", url: "", schema: "" })).toBeNull();
  });
});

describe("a2a cards: what a known caller sees", () => {
  const extended = async (method: string, key: string): Promise<Members> => {
    const headers = key === "" ? {} : { "x-api-key": key };
    const said = await post(`${seller.url}/a2a/seller/jsonrpc`, { jsonrpc: "2.0", id: 1, method }, headers);
    return { status: said.status, ...(said.body as Members) };
  };
  const skillsOf = ({ result }: Members): string[] =>
    ((result as Members)["skills"] as Members[]).map(({ id }) => String(id));

  test.each([["GetExtendedAgentCard"], ["agent/getAuthenticatedExtendedCard"]])(
    "%s: the operations that it may call, as skills; 401 without a key",
    async (method) => {
      expect(await extended(method, "")).toMatchObject({
        status: 401,
        error: { data: { error: "authentication_required" } },
      });
      const own = skillsOf(await extended(method, known));
      expect(own.slice(0, 5)).toEqual(["discovery", "pricing", "proposals", "negotiation", "deals"]);
      expect(own).toContain("request_quote");
      expect(own).not.toContain("approve_or_reject");
      expect(skillsOf(await extended(method, operator))).toContain("approve_or_reject");
    },
  );

  test("it is signed, and HTTP+JSON has it too", async () => {
    const headers = { "x-api-key": known };
    const { status, body } = await seller.ask("GET", "/a2a/seller/v1/extendedAgentCard", { headers });
    expect(status).toBe(200);
    await verifyAgentCardSignature((kid) => keyFor(seller, kid))(AgentCard.fromJSON(body));
    expect((await seller.ask("GET", "/a2a/seller/v1/extendedAgentCard")).status).toBe(401);
  });
});
