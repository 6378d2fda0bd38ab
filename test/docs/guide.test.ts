import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventTypes as buyerEvents } from "../../skills/buyer/events/event-types.ts";
import { eventTypes as sellerEvents } from "../../skills/seller/events/event-types.ts";
import { refusalTable } from "../../protocol/neutral/refusals.ts";
import { buildProduct, parley } from "../cli/program.ts";
import { builtGuide } from "../guide/built.ts";

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
