import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTokens } from "../../agents/edge/proxy/token.ts";
import { verifySignedUrl } from "../../agents/edge/proxy/signed-url.ts";
import { neutral } from "../../agents/edge/runtimes/bundle.ts";
import { binaryOf, compatibilityDate, type ChildRuntime } from "../../agents/edge/runtimes/launch.ts";
import { computeAll } from "./vectors/compute.ts";
import vectors from "./vectors/vectors.json" with { type: "json" };

const CAPNP = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "vectors", worker = .vectors)]);
const vectors :Workerd.Worker = (
  modules = [(name = "vectors", esModule = embed "vectors.js")],
  compatibilityDate = "${compatibilityDate}",
);
`;

const ARGUMENTS: Readonly<Record<ChildRuntime, readonly string[]>> = {
  bun: ["run", "vectors.js"],
  deno: ["run", "--no-prompt", "--no-remote", "--no-npm", "vectors.js"],
  workerd: ["test", "vectors.capnp"],
};

describe("published vectors", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-vectors-"));
    const entryPoints = [join(import.meta.dirname, "vectors", "vectors-child.ts")];
    const result = await build({ ...neutral, entryPoints, external: ["node:*"] });
    await writeFile(join(folder, "vectors.js"), result.outputFiles?.[0]?.text ?? "");
    await writeFile(join(folder, "vectors.capnp"), CAPNP);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const titled = (outputs: readonly (string | null)[]) =>
    vectors.map(({ function: name, input }, index) => [name, input.at(-1), outputs[index] ?? null]);
  const wanted = titled(vectors.map(({ output }) => output));

  test("Node computes every one", async () => {
    expect(titled(await computeAll(vectors))).toEqual(wanted);
  });

  test.each(["bun", "deno", "workerd"] as const)("%s computes every one", async (runtime) => {
    const { stdout, stderr } = await promisify(execFile)(binaryOf(runtime), ARGUMENTS[runtime], { cwd: folder });
    const line = /^\[.*\]$/m.exec(`${stdout}\n${stderr}`)?.[0] ?? "[]";
    expect(titled(JSON.parse(line) as string[])).toEqual(wanted);
  });

  test("the reference's signature of a clear address is no token: its hash could be carried on by a stranger", () => {
    const [secret, address] = ["unit-test-proxy-secret", "https://cdn.example/a.png"];
    const signature = "fCs0cyIu2Z1b19pH1MU6Lb1pug1LCU_Br2QlOYiefbk";
    expect(createHash("sha256").update(`ts-proxy-v2${secret}${address}`).digest("base64url")).toBe(signature);
    const query = new URLSearchParams({ tsurl: address, tstoken: signature });
    expect(verifySignedUrl(createTokens(secret), query, 0)).toMatchObject({ ok: false, code: "forbidden" });
  });
});
