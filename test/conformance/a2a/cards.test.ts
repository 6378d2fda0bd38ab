import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Started, startBuyer, startSeller } from "../../spec/launched.ts";
import { type Members, post } from "../wire.ts";

let seller: Started;
beforeAll(async () => {
  seller = await startSeller();
});
afterAll(() => seller.close());

describe("a2a wire: cards", () => {
  const paths = ["/.well-known/agent-card.json", "/a2a/seller/.well-known/agent-card.json"];
  const cardOf = async (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${seller.url}${path}`, { headers });

  test.each(paths)(
    "%s with 0.3 is the card of 0.3, without a version with the interfaces of 1.0 beside it",
    async (path) => {
      for (const headers of [{}, { "A2A-Version": "0.3" }]) {
        const card = (await (await cardOf(path, headers)).json()) as Members;
        const url = `${seller.url}/a2a/seller/jsonrpc`;
        expect(card).toMatchObject({ protocolVersion: "0.3.0", url, preferredTransport: "JSONRPC" });
        const http = { url: `${seller.url}/a2a/seller/v0.3`, transport: "HTTP+JSON" };
        expect(card["additionalInterfaces"]).toEqual([{ url, transport: "JSONRPC" }, http]);
        for (const name of ["name", "description", "version"]) expect(card[name]).toMatch(/./);
        const interfaces = card["supportedInterfaces"] as readonly Members[] | undefined;
        expect(interfaces?.map((one) => one["protocolVersion"])).toEqual(
          "A2A-Version" in headers ? undefined : ["1.0", "1.0", "0.3", "0.3"],
        );
      }
    },
  );

  test.each(paths)("%s with 1.0 is the card of 1.0, with none of the members that 1.0 took away", async (path) => {
    const card = (await (await cardOf(path, { "A2A-Version": "1.0" })).json()) as Members;
    const url = `${seller.url}/a2a/seller/jsonrpc`;
    expect(card["supportedInterfaces"]).toEqual([
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: `${seller.url}/a2a/seller/v1`, protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      { url: `${seller.url}/a2a/seller/v0.3`, protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
    ]);
    for (const name of ["url", "protocolVersion", "preferredTransport", "additionalInterfaces"]) {
      expect(card).not.toHaveProperty(name);
    }
  });

  test.each(["0.3", "1.0"])("A2A_CARD_DEFAULT_VERSION pins the view of %s", async (version) => {
    const pinned = await startSeller({ A2A_CARD_DEFAULT_VERSION: version });
    const [plain, asked] = await Promise.all(
      [{}, { "A2A-Version": version }].map(async (headers) =>
        (await fetch(`${pinned.url}${paths[0]}`, { headers: headers as Record<string, string> })).json(),
      ),
    );
    expect(plain).toEqual(asked);
    await pinned.close();
  });

  test("a client that asks for the extension of the cards is told that it is on; another is told nothing", async () => {
    const uri = "urn:parley:a2a:operations:1";
    for (const version of ["0.3", "1.0"]) {
      const { capabilities } = (await (await cardOf(paths[0] ?? "", { "A2A-Version": version })).json()) as {
        capabilities: { extensions: readonly Members[] };
      };
      expect(capabilities.extensions.map((one) => one["uri"])).toEqual([uri]);
    }
    const get = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { id: "none" } };
    for (const name of ["A2A-Extensions", "X-A2A-Extensions"]) {
      const named = { [name]: `urn:other, ${uri}` };
      const said = await post(`${seller.url}/a2a/seller/jsonrpc`, get, named);
      const same = await fetch(`${seller.url}/a2a/seller/v1/tasks/none`, { headers: named });
      expect([said.headers.get(name), same.headers.get(name)]).toEqual([uri, uri]);
      expect((await post(`${seller.url}/a2a/seller/jsonrpc`, get, { [name]: "urn:other" })).headers.has(name)).toBe(
        false,
      );
    }
  });

  test("both cards say the same of skills, modes and capabilities, and promise no more than is served", async () => {
    const [legacy, current] = (await Promise.all(
      ["0.3", "1.0"].map(async (version) => (await cardOf(paths[0] ?? "", { "A2A-Version": version })).json()),
    )) as [Members, Members];
    for (const card of [legacy, current]) {
      expect(card["capabilities"]).toMatchObject({ streaming: true, pushNotifications: true });
      expect(card["defaultInputModes"]).toEqual(["text/plain", "application/json"]);
      expect(Object.keys(card["securitySchemes"] as Members)).toEqual(["bearer", "api_key"]);
    }
    const skills = legacy["skills"] as readonly Members[];
    expect(skills.map((skill) => skill["id"])).toEqual(["discovery", "pricing", "proposals", "negotiation", "deals"]);
    for (const skill of skills) expect(skill["tags"]).toContainEqual(expect.stringMatching(/./));
    const shown = (card: Members): unknown =>
      (card["skills"] as readonly Members[]).map(({ id, examples }) => [id, examples]);
    expect(shown(current)).toEqual(shown(legacy));
    const pricing = skills.find(({ id }) => id === "pricing");
    expect(pricing?.["examples"]).toEqual(expect.arrayContaining(["give me a quote", "show your rate card"]));
  });

  test("a card is cached by version, and revalidated with its ETag", async () => {
    const [legacy, current] = await Promise.all(
      ["0.3", "1.0"].map((one) => cardOf(paths[0] ?? "", { "A2A-Version": one })),
    );
    const etag = legacy?.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(current?.headers.get("etag")).not.toBe(etag);
    expect(legacy?.headers.get("vary")).toContain("A2A-Version");
    expect(legacy?.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(Number.isNaN(Date.parse(legacy?.headers.get("last-modified") ?? ""))).toBe(false);
    const again = await cardOf(paths[0] ?? "", { "if-none-match": etag, "A2A-Version": "0.3" });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await cardOf(paths[0] ?? "", { "if-none-match": etag, "A2A-Version": "1.0" })).status).toBe(200);
    for (const tags of [`W/${etag}`, `"other", ${etag}`, "*"]) {
      expect((await cardOf(paths[0] ?? "", { "if-none-match": tags, "A2A-Version": "0.3" })).status).toBe(304);
    }
  });
});

describe("a2a wire: the buyer", () => {
  let buyer: Started;
  const key = "the-buyer-s-own-key-0123456789abcdef";
  beforeAll(async () => {
    buyer = await startBuyer({ API_KEY: key });
  });
  afterAll(() => buyer.close());

  test("an anonymous caller is answered 401 whatever it sends", async () => {
    for (const sent of ["{", { jsonrpc: "2.0", id: 1, method: "message/send", params: {} }]) {
      const { status, headers, body } = await post(`${buyer.url}/a2a/buyer/jsonrpc`, sent);
      expect([status, headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect(body).toMatchObject({ error: { code: -32010, data: { error: "authentication_required" } } });
    }
  });

  const ask = async (part: Members): Promise<Members> => {
    const message = { messageId: crypto.randomUUID(), role: "user", parts: [part] };
    const sent = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message } };
    return ((await post(`${buyer.url}/a2a/buyer/jsonrpc`, sent, { "x-api-key": key })).body as { result: Members })
      .result;
  };

  test("a text is read, and a brief in words is not started by itself", async () => {
    const brief = "Spend 50k on display in March 2027 for sports fans, brand awareness, max 25 CPM";
    const reply = await ask({ kind: "text", text: brief });
    const text = expect.stringContaining("Shall I start it?") as unknown;
    expect(reply["parts"]).toMatchObject([{ text }, { data: { skill: "campaigns", outcome: "clarify" } }]);
  });

  test("the examples of its card reach an operation, or are read", async () => {
    const card = (await (await fetch(`${buyer.url}/.well-known/agent-card.json`)).json()) as Members;
    const examples = (card["skills"] as readonly { examples: readonly string[] }[]).flatMap((skill) => skill.examples);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const isData = example.startsWith("{");
      const part = isData ? { kind: "data", data: JSON.parse(example) as Members } : { kind: "text", text: example };
      const said = JSON.stringify((await ask(part))["parts"]);
      expect(said, example).toContain(isData ? '"result"' : '"skill":"campaigns"');
    }
  });
});
