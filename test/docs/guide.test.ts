import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventTypes as buyerEvents } from "../../skills/buyer/events/event-types.ts";
import { eventTypes as sellerEvents } from "../../skills/seller/events/event-types.ts";
import { refusalTable } from "../../protocol/neutral/refusals.ts";
import { buildProduct, parley } from "../cli/program.ts";
import { buildGuide, builtGuide } from "../guide/built.ts";

const root = join(import.meta.dirname, "../..");
const built = await builtGuide();

const isGenerated = (name: string): boolean => /^(?:index$|refusals\/|reference\/|decisions\/)/.test(name);

test("guide: every link leads to a page, a heading or a file, and every page is in the list", () => {
  expect(built.problems).toEqual([]);
  expect(built.unlisted.filter((name) => !isGenerated(name))).toEqual([]);
});

test("guide: it holds the pages that it promises", () => {
  const written = (folder: string): number => readdirSync(join(root, "docs/guide", folder)).length;
  expect(written("start")).toBe(6);
  expect(written("how-to")).toBeGreaterThanOrEqual(15);
  expect(written("explain")).toBe(6);
});

test("guide: each refusal has a section of its own, and no section is of none", () => {
  const page = readFileSync(join(root, "docs/guide/refusals.md"), "utf8");
  const sections = [...page.matchAll(/^## (.+)\n\n(.+)/gm)].map(([, code = ""]) => code);
  expect(sections.toSorted()).toEqual([...Object.keys(refusalTable), "internal_error"].toSorted());
});

const namesIn = (page: string): readonly string[] =>
  [...page.matchAll(/^\| `([\w.]+)`/gm)].map(([, name = ""]) => name).toSorted();

const reference = (name: string): string => readFileSync(join(root, `docs/guide/reference/${name}.md`), "utf8");

test("guide: every type of event is explained, and no other", () => {
  const [, seller = "", buyer = ""] = reference("events").split(/^## /m);
  expect(namesIn(seller)).toEqual([...sellerEvents].toSorted());
  expect(namesIn(buyer)).toEqual([...buyerEvents].toSorted());
});

test("guide: every command is listed, and no other", () => {
  buildProduct();
  const { out } = parley(["--help"]);
  const commands = [...out.matchAll(/^ {2}([a-z]+) (?=.* {2})/gm)].map(([, name = ""]) => name);
  expect(namesIn(reference("commands"))).toEqual(commands.filter((name) => name !== "help").toSorted());
});

test("guide: what it names of the console is written there", () => {
  const page = join(root, "agents/console/page");
  const written = readdirSync(page, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".tsx"))
    .map((name) => readFileSync(join(page, name), "utf8"))
    .join("\n");
  const named = ["start", "how-to"].flatMap((folder) =>
    readdirSync(join(root, "docs/guide", folder)).flatMap((name) =>
      [...readFileSync(join(root, "docs/guide", folder, name), "utf8").matchAll(/(?<![*\w])\*([A-Z][^*\n]+)\*(?!\*)/g)].map(
        ([, words = ""]) => words,
      ),
    ),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((words) => !written.includes(words))).toEqual([]);
});

test("guide: every file that the front page names is there", () => {
  const page = readFileSync(join(root, "README.md"), "utf8");
  const named = [...page.matchAll(/\]\(([^)#]+)\)|(?:src|srcset)="([^"]+)"/g)].map(([, link, image]) => link ?? image ?? "");
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(page.split("\n").length).toBeLessThanOrEqual(161);
});

test("guide: a build takes away old scripts and pages that are no longer written, and nothing else, however old", async () => {
  const folder = join(root, "dist/guide");
  const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
  const namedBy = (page: string): readonly string[] =>
    [...page.matchAll(/"\/guide\/assets\/([\w.-]+)"/g)].map(([, name = ""]) => name);
  const index = (): string => readFileSync(join(folder, "index.html"), "utf8");
  const planted = ["main-OLDOLD00.js", "no-such-page.html"];
  for (const name of planted) writeFileSync(join(folder, name), "x");
  for (const name of ["index.html", "index.md", ...namedBy(index()), ...planted]) {
    utimesSync(join(folder, name), longAgo, longAgo);
  }
  await buildGuide(`${root}/`);
  const after = readdirSync(folder);
  expect(after).not.toContain("main-OLDOLD00.js");
  expect(after).not.toContain("no-such-page.html");
  const named = ["index.md", ...namedBy(index())];
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !after.includes(name))).toEqual([]);
});
