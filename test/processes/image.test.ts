import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sellerSettingTable } from "../../agents/seller/config.ts";
import { buyerSettingTable } from "../../agents/buyer/config.ts";
import { buildProduct } from "../cli/program.ts";
import { stageOf, startImage, stopped, type Unpacked, unpackImage } from "./image.ts";

const root = join(import.meta.dirname, "../..");

describe("the image", () => {
  let image: Unpacked | undefined;
  beforeAll(() => {
    buildProduct();
    image = unpackImage(root);
  });
  afterAll(() => image?.remove());

  it("starts a seller as a user without rights from a tree that nobody may write, within two seconds", async () => {
    const unpacked = image as Unpacked;
    const starting = (folder: string) => startImage(unpacked, ["seller", "--data", join(unpacked.data, folder)]);
    // Processor time, and the least of three: what else a machine runs slows a start down by half.
    const started = await starting("seller");
    let { cpuMs } = started;
    for (const folder of ["second", "third"]) {
      if (cpuMs < 2_000) break;
      const again = await starting(folder);
      cpuMs = Math.min(cpuMs, again.cpuMs);
      await stopped(again);
    }
    expect(cpuMs).toBeLessThan(2_000);
    expect((await fetch(new URL("/readyz", started.url))).status).toBe(200);
    expect((await fetch(new URL("/docs", started.url))).status).toBe(200);
    expect(readdirSync(join(unpacked.data, "seller"))).toContain("store.json");
    expect(await stopped(started)).toBe(0);
  });

  it("starts a buyer alike", async () => {
    const unpacked = image as Unpacked;
    const started = await startImage(unpacked, ["buyer", "--data", join(unpacked.data, "buyer")]);
    expect((await fetch(new URL("/readyz", started.url))).status).toBe(200);
    expect(await stopped(started)).toBe(0);
  });

  it("is built in two stages, runs as no root, and has a health check that its own program can answer", () => {
    const steps = stageOf("image");
    const of = (word: string): string => steps.find((step) => step.word === word)?.rest ?? "";
    expect(of("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(of("STOPSIGNAL")).toBe("SIGTERM");
    expect(of("VOLUME")).toBe("/data");
    const [check = ""] = /\[.*\]$/.exec(of("HEALTHCHECK")) ?? [];
    expect(JSON.parse(check)).toEqual(["node", "-e", expect.stringContaining("/readyz")]);
    expect(stageOf("build").map(({ word, rest }) => `${word} ${rest}`)).toContain(
      "RUN npm ci --omit=dev && node .ci/ready.mjs start",
    );
    expect(steps.some(({ rest }) => /\b(npm|apk|curl|wget)\b/.test(rest))).toBe(false);
  });
});

describe("compose.yaml", () => {
  const text = readFileSync(join(root, "compose.yaml"), "utf8");
  const services = new Map(
    (/^services:\n([^]*?)^\w/m.exec(text)?.[1] ?? "")
      .split(/^ {2}(?=\w)/m)
      .filter((part) => part.trim() !== "")
      .map((part) => [part.slice(0, part.indexOf(":")), part] as const),
  );

  it("has a seller of two processes, a buyer, an edge and a database, and Prometheus and Grafana to watch", () => {
    expect([...services.keys()].sort()).toEqual(["buyer", "database", "edge", "grafana", "prometheus", "seller"]);
    expect(services.get("seller")).toContain("replicas: 2");
    for (const name of ["prometheus", "grafana"]) expect(services.get(name)).toContain("profiles: [watch]");
  });

  it("runs each agent from the image, read-only and without capabilities, and publishes to this machine alone", () => {
    const agent = /^x-agent:[^]*?\n\n/m.exec(text)?.[0] ?? "";
    for (const line of ["read_only: true", "cap_drop: [ALL]", "no-new-privileges:true", "dockerfile: Containerfile"]) {
      expect(agent).toContain(line);
    }
    for (const name of ["seller", "buyer", "edge"]) expect(services.get(name)).toContain("<<: *agent");
    for (const [, ports = ""] of text.matchAll(/ports: \["([^"]+)"\]/g)) expect(ports).toMatch(/^127\.0\.0\.1:/);
  });

  it("sets nothing that the agents do not read, and holds no secret", () => {
    const known = new Set(
      [...Object.values(sellerSettingTable), ...Object.values(buyerSettingTable)].map(({ variable }) => variable),
    );
    // Of PostgreSQL's client, and of what another service reads.
    for (const name of ["PGPASSWORD", "POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD"]) known.add(name);
    for (const name of ["PORT", "GF_PATHS_PROVISIONING"]) known.add(name);
    const set = [...text.matchAll(/^\s+(?:environment: \{ )?([A-Z][A-Z_]+): /gm)].map(([, name = ""]) => name);
    expect(set.filter((name) => !known.has(name))).toEqual([]);
    for (const [, value = ""] of text.matchAll(/PASSWORD: (.*)/g)) expect(value).toMatch(/^\$\{[A-Z_]+:\?/);
  });

  it("mounts folders of the checkout that exist", () => {
    for (const [, path = ""] of text.matchAll(/"\.\/([\w/]+):/g)) expect(existsSync(join(root, path)), path).toBe(true);
  });
});
