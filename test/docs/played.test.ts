import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProduct } from "../cli/program.ts";
import { blocksOf } from "./blocks.ts";
import { openPlayer, type Player, portsFor } from "./player.ts";

const guide = join(import.meta.dirname, "../../docs/guide");
const pagesOf = (folder: string): readonly string[] =>
  readdirSync(join(guide, folder)).map((name) => `${folder}/${name.replace(/\.md$/, "")}`);
const textOf = (page: string): string => readFileSync(join(guide, `${page}.md`), "utf8");
const stepsOf = (page: string): number =>
  blocksOf(textOf(page)).filter(({ kind }) => kind === "run" || kind === "serve").length;

const first = "start/first-minute";
const starts = pagesOf("start").filter((page) => page !== first);
const howTos = pagesOf("how-to").filter((page) => stepsOf(page) > 0);
const played = [first, ...starts, ...howTos];

let player: Player;
beforeAll(async () => {
  buildProduct();
  player = openPlayer(await portsFor(played.map(textOf)));
});
afterAll(() => player.close());

describe("guide: pages are played as they stand", () => {
  it.each(played)("%s", async (page) => {
    await player.play(textOf(page));
  });

  it("a start page is commands with their answers, not text about them", () => {
    for (const page of starts) expect(stepsOf(page), page).toBeGreaterThan(3);
    expect(howTos.length).toBeGreaterThan(8);
  });
});
