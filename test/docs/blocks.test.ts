import { describe, expect, it } from "vitest";
import { blocksOf, differences, filledIn, fitsText } from "./blocks.ts";

describe("guide: how a page is compared with what happens", () => {
  it("only marked blocks are played, in their order", () => {
    const page = "a\n\n```sh run\nx\n```\n\n```json output\n{}\n```\n\n```sh\ny\n```\n\n```csv file=a/b.csv\nz\n```\n";
    expect(blocksOf(page).map(({ kind, text, line, file }) => [kind, text, line, file])).toEqual([
      ["run", "x", 3, ""],
      ["json", "{}", 7, ""],
      ["file", "z", 15, "a/b.csv"],
    ]);
  });

  it("an ellipsis stands for text of its line, alone for lines, and nothing else may differ", () => {
    expect(fitsText("id qt-…\n…\nend", "id qt-12ab\nmore\nand more\nend\n")).toBe(true);
    expect(fitsText("id qt-…\n…\nend", "id qt-12ab\nend")).toBe(true);
    expect(fitsText("id qt-…", "id qt-12ab\nmore")).toBe(false);
    expect(fitsText("costs 31.50", "costs 31x50")).toBe(false);
  });

  it("an answer may hold more than the page shows, and nothing else", () => {
    const said = { id: "qt-1", price: 31.5, list: [{ a: 1, b: 2 }], none: null };
    expect(differences({ id: "qt-…", list: [{ b: 2 }], none: null }, said)).toEqual([]);
    expect(differences({ price: 31 }, said)).toEqual(["$.price: 31.5"]);
    expect(differences({ list: [{ c: 3 }] }, said)).toEqual(["$.list[0].c: undefined"]);
    expect(differences({ other: "…" }, said)).toEqual(["$.other: undefined"]);
  });

  it("what was printed last is put in, by its member where the page names one", () => {
    const printed = '{"digest":"sha256:aa"} {"terms_digest":"sha256:bb"} qt-1 qt-2';
    expect(filledIn('{"quote_id": "qt-…"}', printed)).toBe('{"quote_id": "qt-2"}');
    expect(filledIn('{"digest": "sha256:…"}', printed)).toBe('{"digest": "sha256:aa"}');
    expect(() => filledIn("DEMO-…", printed)).toThrow("nothing printed begins with DEMO-");
  });
});
