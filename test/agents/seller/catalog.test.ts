import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCatalog } from "../../../agents/seller/catalog/catalog.ts";
import { defaultProducts } from "../../../agents/seller/catalog/default-products.ts";
import { CatalogError, loadCatalog, parseCatalog } from "../../../agents/seller/catalog/load.ts";
import { productIdOf } from "../../../skills/seller/products/product-id.ts";

const published = [
  ["prod-91ddc363", "display", 15, 10, "PG PD", 5_000_000],
  ["prod-c642fc9b", "display", 8, 5, "PD PA", null],
  ["prod-15ba2543", "video", 25, 18, "PG PD", null],
  ["prod-53e78a97", "ctv", 35, 28, "PG", 20_000_000],
  ["prod-5c55dc4e", "mobile_app", 20, 15, "PD PA", null],
  ["prod-12b49f7d", "native", 12, 8, "PD", null],
  ["prod-889e2b7d", "linear_tv", 55, 40, "PG", 12_000_000],
  ["prod-e28c7f13", "linear_tv", 22, 15, "PG PD", null],
  ["prod-6576b09a", "linear_tv", 18, 12, "PG PD PA", null],
  ["prod-3b381ddc", "linear_tv", 15, 8, "PD PA", null],
  ["prod-6c6b953d", "linear_tv", 55, 40, "PG PA", null],
  ["prod-c6383323", "linear_tv", 30, 20, "PG PA", null],
  ["prod-f114d7a7", "dooh", null, null, "PD", null],
];

const units = (micros: number | null): number | null => (micros === null ? null : micros / 1_000_000);

const problemsOf = (file: string, text: string): readonly string[] => {
  try {
    parseCatalog(file, text, "USD");
  } catch (error) {
    if (error instanceof CatalogError) return error.problems.map(({ line, message }) => `${line}: ${message}`);
    throw error;
  }
  return [];
};

describe("default catalog", () => {
  test("is the published one", () => {
    const listed = defaultProducts.map((item) => [
      item.product_id,
      item.inventory_type,
      units(item.base_cpm_micros),
      units(item.floor_cpm_micros),
      item.deal_types.join(" "),
      item.maximum_impressions,
    ]);
    expect(listed).toStrictEqual(published);
    expect(new Set(defaultProducts.map((item) => item.minimum_impressions))).toStrictEqual(new Set([10_000]));
    expect(new Set(defaultProducts.map((item) => item.currency))).toStrictEqual(new Set(["USD"]));
  });

  test("each id is the UUIDv5 of its name in the URL namespace", () => {
    for (const item of defaultProducts) expect(productIdOf(item.name)).toBe(item.product_id);
  });

  test("has seven inventory types, sorted", () => {
    expect(createCatalog(defaultProducts).inventoryTypes).toStrictEqual([
      "ctv",
      "display",
      "dooh",
      "linear_tv",
      "mobile_app",
      "native",
      "video",
    ]);
  });
});

describe("catalog files", () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), "parley-catalog-"));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  const csv = [
    "product_id,name,inventory_type,deal_types,base_cpm,floor_cpm,maximum_impressions,audience_targeting",
    'news-1,"News, the ""big"" one",display,PG|PD,12.5,9.99,1000000,"{""geo"": [""US"", ""CA""]}"',
    "",
    ",Connected Sports,,PD,30,,,",
  ].join("\r\n");

  test("a CSV file is read with quoted cells, lists, targeting and defaults", async () => {
    const file = join(dir, "catalog.csv");
    await writeFile(file, csv);
    const catalog = await loadCatalog(file, "EUR");
    expect(catalog.get("news-1")).toStrictEqual({
      product_id: "news-1",
      name: 'News, the "big" one',
      description: null,
      inventory_type: "display",
      deal_types: ["PG", "PD"],
      pricing_models: ["cpm"],
      base_cpm_micros: 12_500_000,
      floor_cpm_micros: 9_990_000,
      currency: "EUR",
      minimum_impressions: 10_000,
      maximum_impressions: 1_000_000,
      audience_targeting: { geo: ["US", "CA"] },
      content_targeting: null,
      ad_product_targeting: null,
    });
    const { products, total } = catalog.page({ inventoryTypes: ["ctv"], offset: 0, limit: 10 });
    expect(total).toBe(1);
    expect(products[0]).toMatchObject({ name: "Connected Sports", inventory_type: "ctv", floor_cpm_micros: null });
    expect(products[0]?.product_id).toMatch(/^prod-[0-9a-f]{8}$/);
  });

  test("a JSON file is an array or an object with products", () => {
    const row = { product_id: "a", name: "A", deal_types: ["PA"], base_cpm: 1.5 };
    expect(parseCatalog("c.json", JSON.stringify([row]), "USD")).toHaveLength(1);
    expect(
      parseCatalog("c.json", JSON.stringify({ products: [row, { ...row, product_id: "b" }] }), "USD"),
    ).toHaveLength(2);
  });

  test("what targets are taken from is a price or a share of the list price, between floor and list price", () => {
    const csvOf = (cell: string) => `name,deal_types,base_cpm,floor_cpm,accept_from\nA,PD,20,10,${cell}`;
    const read = (cell: string) => parseCatalog("c.csv", csvOf(cell), "USD")[0]?.accept_from;
    expect([read("85%"), read("12.5"), read("")]).toEqual([{ listPct: 85 }, { micros: 12_500_000 }, undefined]);
    for (const cell of ["9.99", "20.01", "49%", "101%", "half", "0", "-12", "12.0000001"]) {
      expect(problemsOf("c.csv", csvOf(cell))).toEqual([expect.stringMatching(/^2: accept_from: must /)]);
    }
  });

  test("every bad row of a CSV file is told with its line", () => {
    const text = [
      "product_id,name,deal_types,base_cpm,floor_cpm,minimum_impressions",
      "a,Good,PD,10,5,",
      "b,,PD,10,5,",
      'c,"Two\nlines",PD,10,5,',
      "d,Cheap,PD,10,12,",
      "e,Wrong,XX,ten,,-1",
      "a,Again,PD,10,5,",
      "f,Short,PD",
      "g,Fine,PG,1,1,1.5",
    ].join("\n");
    expect(problemsOf("c.csv", text).map((problem) => problem.replace(/(: \w+).*$/, "$1"))).toStrictEqual([
      "3: name",
      "4: name",
      "6: floor_cpm",
      "7: deal_types",
      "7: base_cpm",
      "7: minimum_impressions",
      "8: product_id",
      "9: 3",
      "10: minimum_impressions",
    ]);
    expect(problemsOf("c.csv", text)).toContain("8: product_id a is already on line 2");
  });

  test("every bad row of a JSON file is told with its line", () => {
    const text = [
      '{"products": [',
      '  {"product_id": "a", "name": "A, [x] {y} \\" z", "deal_types": ["PD"], "base_cpm": 1},',
      '  7, {"product_id": "b", "name": "B", "deal_types": [],',
      '    "base_cpm": 0},',
      '  {"product_id": "c/d", "name": "C", "deal_types": ["PD"], "colour": "red"}',
      "]}",
    ].join("\n");
    const lines = problemsOf("c.json", text).map((problem) => problem.split(":").slice(0, 2).join(":"));
    expect(lines).toStrictEqual(["3: row", "3: deal_types", "3: base_cpm", "5: product_id", "5: row"]);
  });

  test.each([
    ["c.csv", "", "0: the file is empty"],
    ["c.csv", "name,colour\nA,red", /^1: unknown columns: colour; known: product_id, name/],
    ["c.csv", 'name,deal_types\n"A,PD', "2: a quote is missing or out of place"],
    ["c.json", "{", /^[01]: the file is not valid JSON: /],
    ["c.json", '[{"name": "A",\n"deal_types": ["PD"],\n}]', /^3: the file is not valid JSON: /],
    ["c.json", "[]", "0: the file has no products"],
    ["c.json", '{"items": []}', /^0: the file must be an array of products/],
    ["c.csv", "name,deal_types", "0: the file has no products"],
    ["c.csv", "name,base_cpm,base_cpm,name\nA,1,2,B", "1: columns that are there twice: base_cpm, name"],
    [
      "c.csv",
      'name,deal_types,audience_targeting\nA,PD,"{""geo"":[""US""],""geo"":[""CA""]}"',
      /^2: .*geo is there twice/,
    ],
    ["c.csv", 'name,deal_types,audience_targeting\nA,PD,"{""\\x"":1}"', /^2: audience_targeting: /],
    ["c.json", '[{"name": "A",\n"n\\u0061me": "B", "deal_types": ["PD"]}]', "2: name is there twice in one object"],
    ["c.json", '{"products": [{"name": "A"}], "products": [{"name": "B"}]}', /^1: products is there twice/],
  ])("the file %s of %j is refused as a whole", (file, text, problem) => {
    const [only, ...more] = problemsOf(file, text);
    expect(more).toStrictEqual([]);
    if (typeof problem === "string") expect(only).toBe(problem);
    else expect(only).toMatch(problem);
  });

  test.each(["name,deal_types\rA,PD\rB,PD\r", 'name,deal_types\r\nA,"PD"\rB,PD', "name,deal_types\nA,PD\n \nB,PD"])(
    "every kind of line end and empty lines are read: %j",
    (text) => {
      expect(parseCatalog("c.csv", text, "USD").map(({ name }) => name)).toStrictEqual(["A", "B"]);
    },
  );

  test("a fault in a file of one line names the product", async () => {
    const file = join(dir, "line.json");
    const good = { name: "Good", deal_types: ["PD"] };
    await writeFile(
      file,
      JSON.stringify([good, { name: "Late Night Spot", deal_types: ["XX"] }, { product_id: "p7" }]),
    );
    await expect(loadCatalog(file, "USD")).rejects.toThrow(
      /line 1 \("Late Night Spot"\): deal_types[^]+line 1 \("p7"\): name/,
    );
  });

  test.each(["0x10", "0b11", "0o7", "Infinity", "1_000", "ten"])("a price of %s is no number", (cell) => {
    expect(problemsOf("c.csv", `name,deal_types,base_cpm\nA,PD,${cell}`)).toStrictEqual([
      expect.stringMatching(/^2: base_cpm: .*expected number/),
    ]);
  });

  test.each([
    ["12.5", 12_500_000],
    ["+.5", 500_000],
    ["1E+2", 100_000_000],
  ])("a price of %s is read as a person means it", (cell, micros) => {
    expect(parseCatalog("c.csv", `name,deal_types,base_cpm\nA,PD,${cell}`, "USD")[0]?.base_cpm_micros).toBe(micros);
  });

  test("names that several objects have are not doubled, nor is a text that looks like a name", () => {
    const row = { name: "name", deal_types: ["PD"], content_targeting: { name: ["name", "name"] } };
    expect(problemsOf("c.json", JSON.stringify([row, { ...row, product_id: "b" }]))).toStrictEqual([]);
  });

  test("a file in another encoding than UTF-8 is refused with the first line that is not", async () => {
    const file = join(dir, "latin.csv");
    await writeFile(file, Buffer.from("name,deal_types\nPlain,PD\nCaf\u00e9,PD\n", "latin1"));
    await expect(loadCatalog(file, "USD")).rejects.toThrow(/latin\.csv cannot be used.*\n {2}line 3: .*not UTF-8/);
    await writeFile(file, "name,deal_types\nCaf\u00e9,PD\n");
    expect((await loadCatalog(file, "USD")).page({ inventoryTypes: [], offset: 0, limit: 1 })).toMatchObject({
      products: [{ name: "Caf\u00e9" }],
    });
  });

  test("a file that is not there is a clear error, and without a file the default catalog is served", async () => {
    await expect(loadCatalog(join(dir, "none.csv"), "USD")).rejects.toThrow(/none\.csv cannot be used/);
    expect((await loadCatalog(null, "USD")).page({ inventoryTypes: [], offset: 0, limit: 1 }).total).toBe(13);
  });

  test("pages of several types keep the catalog's order, from every offset on", () => {
    const catalog = createCatalog(defaultProducts);
    for (const types of [["video", "ctv"], ["linear_tv", "display", "ctv"], ["ctv", "ctv", "none"], ["none"]]) {
      const all = defaultProducts.filter((item) => types.includes(item.inventory_type));
      for (let offset = 0; offset < 15; offset += 1) {
        for (const limit of [1, 2, 50]) {
          const page = catalog.page({ inventoryTypes: types, offset, limit });
          expect(page).toStrictEqual({ products: all.slice(offset, offset + limit), total: all.length });
        }
      }
    }
  });
});
