import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenApiDocument } from "../../protocol/openapi/document.ts";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";

type Node = Readonly<Record<string, unknown>>;

const agents: Record<string, { readonly started: Started; readonly key: string }> = {};

const withKey = async (started: Started, role: object) => {
  const made = await started.host("create_operator_key", { label: "examples", ...role });
  return { started, key: String(made["api_key"]) };
};

beforeAll(async () => {
  const seller = await startSeller();
  agents["seller"] = await withKey(seller, { role: "senior" });
  agents["buyer"] = await withKey(await startBuyer({ SELLER_ENDPOINTS: seller.url, BUYER_SEAT_ID: "s1" }), {});
});
afterAll(() => Promise.all(Object.values(agents).map(({ started }) => started.close())));

interface Sent {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const bodiesOf = (operation: Node): readonly unknown[] => {
  const content = (operation["requestBody"] as { content?: Readonly<Record<string, Node>> } | undefined)?.content;
  const shown = content?.["application/json"] ?? {};
  const several = Object.values((shown["examples"] ?? {}) as Readonly<Record<string, Node>>);
  return [...("example" in shown ? [shown["example"]] : []), ...several.map((one) => one["value"])];
};

const pathOf = (template: string, operation: Node): string => {
  const parameters = (operation["parameters"] ?? []) as readonly Node[];
  const shown = parameters.filter((parameter) => "example" in parameter);
  const path = shown
    .filter((parameter) => parameter["in"] === "path")
    .reduce(
      (text, { name, example }) => text.replace(`{${String(name)}}`, encodeURIComponent(String(example))),
      template,
    );
  const query = shown
    .filter((parameter) => parameter["in"] === "query")
    .flatMap(({ name, example }) =>
      (Array.isArray(example) ? example : [example]).map((one): [string, string] => [String(name), String(one)]),
    );
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
};

/** Whatever would be written is only tried. */
const requestsOf = (document: OpenApiDocument): readonly Sent[] =>
  Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const node = operation as unknown as Node;
      const path = pathOf(template, node);
      const name = String(node["operationId"]);
      const parameters = JSON.stringify(node["parameters"] ?? []);
      const tried = parameters.includes("/DryRun") ? `${path}${path.includes("?") ? "&" : "?"}dry_run=true` : path;
      const sent = { name, method: method.toUpperCase(), path: tried };
      if (method !== "get" && method !== "delete") return bodiesOf(node).map((body) => ({ ...sent, body }));
      return parameters.includes('"example"') ? [sent] : [];
    }),
  );

/** The buyer's document shows none yet. */
const leastShown = { seller: 80, buyer: 0 };

const isStream = ({ path }: Sent): boolean => path.includes("stream");

test.each(["seller", "buyer"] as const)(
  "openapi of the running %s: every example has the form and the days that it takes today",
  async (name) => {
    const agent = agents[name];
    if (agent === undefined) throw new Error(`no ${name}`);
    const { started, key } = agent;
    const { body: document } = await started.ask("GET", "/openapi.json");
    const refused: string[] = [];
    const requests = requestsOf(document as unknown as OpenApiDocument);
    expect(requests.length).toBeGreaterThanOrEqual(leastShown[name]);
    for (const sent of requests) {
      if (isStream(sent) || sent.path.includes("{")) continue;
      const headers = { "x-api-key": key };
      const answer = await started.ask(sent.method, sent.path, {
        headers,
        ...("body" in sent ? { body: sent.body } : {}),
      });
      if (answer.status === 400 || answer.status === 422 || answer.status >= 500) {
        refused.push(`${sent.name} ${sent.method} ${sent.path}: ${answer.status} ${answer.text.slice(0, 300)}`);
      }
    }
    expect(refused).toEqual([]);
  },
);
