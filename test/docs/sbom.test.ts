import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

interface Component {
  readonly name: string;
  readonly version: string;
  readonly properties: readonly { readonly name: string }[];
  readonly hashes?: readonly unknown[];
}

it("npm run sbom lists every library of the program with its digest, from the lock and without the network", () => {
  const unreachable = "http://127.0.0.1:9/";
  const environment = { ...process.env, npm_config_registry: unreachable, npm_config_audit: "false" };
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", "sbom"], {
    cwd: root,
    encoding: "utf8",
    env: environment,
    maxBuffer: 64 << 20,
  });
  expect(status, stderr).toBe(0);
  const bill = JSON.parse(stdout) as { bomFormat: string; specVersion: string; components: readonly Component[] };
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.5" });
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    string,
    Record<string, string>
  >;
  const isShipped = ({ properties }: Component): boolean =>
    !properties.some(({ name }) => name === "cdx:npm:package:development");
  const shipped = new Set(bill.components.filter(isShipped).map(({ name, version }) => `${name}@${version}`));
  const named = (of: Readonly<Record<string, string>> = {}): readonly string[] =>
    Object.entries(of).map(([name, version]) => `${name}@${version}`);
  expect(named(dependencies).filter((one) => !shipped.has(one))).toEqual([]);
  expect(["vitest", "oxlint"].filter((tool) => [...shipped].some((one) => one.startsWith(`${tool}@`)))).toEqual([]);
  const everything = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
  expect(named(devDependencies).filter((one) => !everything.has(one))).toEqual([]);
  for (const { name, hashes } of bill.components) expect(hashes?.length, name).toBeGreaterThan(0);
});
