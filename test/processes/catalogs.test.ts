import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepCatalogSource, readNamedCatalog } from "../../agents/seller/catalog/source.ts";
import { openPostgresStore } from "../../storage/postgres/driver.ts";
import type { Store } from "../../storage/store.ts";
import { buildProduct, parley, type Running, startParley } from "../cli/program.ts";
import { describeOnPostgres } from "../storage/postgres/database.ts";

const seller = ["seller", "--port", "0"];

await describeOnPostgres("the catalog of sellers on one PostgreSQL", (url) => {
  const environment = { DATABASE_URL: url };
  let dir = "";
  let files: readonly string[] = [];

  beforeAll(async () => {
    buildProduct();
    dir = await mkdtemp(join(tmpdir(), "parley-catalogs-"));
    files = ["one", "two"].map((name) => join(dir, `${name}.csv`));
    for (const file of files) await writeFile(file, "name,deal_types,base_cpm\nOwn Page,PD,10\n");
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const serveAtOnce = async (...named: readonly string[][]): Promise<void> => {
    const running: Running[] = named.map((more) => startParley([...seller, ...more], environment));
    try {
      await Promise.all(running.map((one) => one.until("listening on")));
    } finally {
      for (const one of running) await one.stop("SIGTERM");
    }
  };

  it("two processes that name different ones at once keep one of them, and who names none is told which", async () => {
    await serveAtOnce(...files.map((file) => ["--catalog", file]));
    const forgotten = parley(seller, environment);
    expect(forgotten.code).toBe(1);
    const told = files.filter((file) => forgotten.err.includes(`This seller's catalog is the file ${file}`));
    expect(told).toHaveLength(1);
    await serveAtOnce(["--catalog", "default"]);
    await serveAtOnce([]);
  });

  it("one that is overtaken by another looks again: the catalog that was named last is kept", async () => {
    const open = (): Promise<Store> => openPostgresStore({ url, schema: "overtaken", log: () => undefined });
    const [slow, fast] = [await open(), await open()];
    const first = await readNamedCatalog(String(files[0]));
    const second = await readNamedCatalog(String(files[1]));
    let tries = 0;
    const commit: Store["commit"] = async (of) => {
      if ((tries += 1) === 1) await keepCatalogSource(fast, second);
      return slow.commit(of);
    };
    await keepCatalogSource({ ...slow, commit }, first);
    expect(tries).toBe(2);
    expect(await fast.get("catalog_source", "catalog")).toMatchObject({ version: 2, body: { file: files[0] } });
    const none = await readNamedCatalog(null);
    await expect(keepCatalogSource(fast, none)).rejects.toThrow(
      `This seller's catalog is the file ${String(files[0])}`,
    );
    await Promise.all([slow.close(), fast.close()]);
  });
});
