import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { buyerRoutes } from "../../protocol/client-package/buyer.generated.ts";
import { sellerRoutes } from "../../protocol/client-package/seller.generated.ts";

const root = join(import.meta.dirname, "../..");
const scratch = mkdtempSync(join(tmpdir(), "parley-client-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const surface = (path: string): unknown => JSON.parse(readFileSync(join(root, "docs/surface", path), "utf8"));

interface Documented {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
}

type Paths = Readonly<Record<string, Readonly<Record<string, Documented>>>>;

const routes = { seller: sellerRoutes, buyer: buyerRoutes };

describe.each(["seller", "buyer"] as const)("the client of a %s and its OpenAPI document", (agent) => {
  const { paths } = surface(`${agent}/openapi.json`) as { readonly paths: Paths };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ path, method: method.toUpperCase(), operationId })),
  );

  test("have the same operations at the same places", () => {
    const known = Object.entries(routes[agent]).map(([operationId, { method, path }]) => ({
      path: path.replace(/:(\w+)/g, "{$1}"),
      method,
      operationId,
    }));
    expect(documented).toEqual(expect.arrayContaining(known));
    // What no operation is: pages of the service, the cards, the stream, and second names of routes.
    const other = /^(a2a|stream_events|get_(a2a_card|agent_card|agent_json|health|liveness|readiness|root)|\w+_2)$/;
    const names = documented.map(({ operationId }) => operationId).filter((name) => !other.test(name));
    expect(names.toSorted()).toEqual(Object.keys(routes[agent]).toSorted());
  });

  test("the request collection has each of them, with its group, path and example", () => {
    const { item } = surface(`${agent}/collection.json`) as {
      item: { item: { name: string; request: { method: string; url: { raw: string }; body?: { raw: string } } }[] }[];
    };
    const requests = item.flatMap((group) => group.item);
    expect(requests.map(({ name }) => name).toSorted()).toEqual(Object.keys(routes[agent]).toSorted());
    for (const { name, request } of requests) {
      const route = routes[agent][name as keyof (typeof routes)[typeof agent]] as { method: string; path: string };
      expect([request.method, request.url.raw]).toEqual([route.method, `{{url}}${route.path}`]);
      expect(typeof JSON.parse(request.body?.raw ?? "{}")).toBe("object");
    }
  });
});

const typeName = (operation: string): string =>
  operation.replace(/(^|_)(\w)/g, (_whole, _mark: string, letter: string) => letter.toUpperCase());

const compiler = join(root, "node_modules/typescript/bin/tsc");

const compiled = (args: readonly string[], cwd: string): string => {
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...args], { cwd, encoding: "utf8" });
  return status === 0 ? "" : stdout;
};

/** As npm lays the package out, with the types that `prepack` makes. */
const install = (): void => {
  const packaged = join(scratch, "node_modules/parley");
  mkdirSync(join(packaged, "dist"), { recursive: true });
  copyFileSync(join(root, "package.json"), join(packaged, "package.json"));
  expect(compiled(["-p", "protocol/client-package", "--outDir", join(packaged, "dist/client")], root)).toBe("");
};

test("the package's types take every documented example, and nothing that the agent would refuse", () => {
  install();
  const played = surface("seller/examples.json") as Readonly<Record<string, { request?: object; response?: object }>>;
  const examples = Object.entries(played).flatMap(([name, { request, response }]) => {
    if (!Object.hasOwn(sellerRoutes, name)) return [];
    return [
      ...(request === undefined ? [] : [{ type: `${typeName(name)}Input`, value: request }]),
      ...(response === undefined ? [] : [{ type: `${typeName(name)}Output`, value: response }]),
    ];
  });
  expect(examples.length).toBeGreaterThan(150);
  const lines = examples.flatMap(({ type, value }, at) => [
    `const given${at} = ${JSON.stringify(value)} as const;`,
    `export const taken${at}: Seller.${type} = given${at};`,
  ]);
  writeFileSync(
    join(scratch, "consumer.ts"),
    `import { type Seller, sellerClient } from "parley/client";
${lines.join("\n")}
const seller = sellerClient({ url: "http://127.0.0.1:8000" });
export const quote: Promise<string> = seller.call("request_quote", { product_id: "p", deal_type: "PD" })
  .then(({ quote_id }) => quote_id);
export const ids = async (): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const { deal_id } of seller.each("list_deals", { status: ["active"] })) found.push(deal_id);
  return found;
};
// @ts-expect-error an operation that does not exist
void seller.call("sell_everything", {});
// @ts-expect-error a member that is missing
void seller.call("get_deal", {});
// @ts-expect-error a state that no deal has
void seller.call("list_deals", { status: ["lost"] });
// @ts-expect-error what answers no pages
void seller.each("get_deal", { deal_id: "D" });
`,
  );
  const options = { strict: true, noEmit: true, exactOptionalPropertyTypes: true, skipLibCheck: false, types: [] };
  const compilerOptions = { ...options, module: "nodenext", target: "es2023", lib: ["es2023", "dom"] };
  writeFileSync(join(scratch, "package.json"), '{"type":"module"}');
  writeFileSync(join(scratch, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  expect(compiled(["-p", "."], scratch)).toBe("");
});
