import { beforeEach, describe, expect, test } from "vitest";
import { exactly } from "../../skills/talk/gate/exact.ts";
import { type Answered, openGateBench } from "./gate-bench.ts";

let bench: Awaited<ReturnType<typeof openGateBench>>;
const [first, second] = ["of-00000001", "of-00000002"];
const buy = (id: string) => ({ operation: "buy_offer", input: { offer_id: id } });
const drop = (id: string) => ({ operation: "drop_offer", input: { offer_id: id } });

beforeEach(async () => {
  bench = await openGateBench();
  await bench.price(first, 10);
  await bench.price(second, 20);
});

const optionOf = ({ options: [one] }: Answered) => {
  if (one === undefined) throw new Error("nothing was shown");
  return { option: one.option, digest: one.digest };
};

const kinds = ({ took }: Answered) => took.map(({ kind }) => kind);

describe("an option is taken", () => {
  test("by its data part, once, with the proof in the conversation and in the audit trail", async () => {
    const named = optionOf(await bench.say({ show: [buy(first)] }));
    expect(kinds(await bench.say({ data: named }))).toEqual(["done"]);
    expect(await bench.sold(first)).toBe(1);
    const again = await bench.say({ data: named });
    expect(again.picked).toBe("wrong: That option was taken already; nothing more was done.");
    expect(await bench.sold(first)).toBe(1);
    expect((await bench.desk("anonymous"))?.taken).toMatchObject([
      { ...named, by: "option", terms: "Offer of-00000001 at $10" },
    ]);
    const entries: string[] = [];
    for await (const entry of bench.store.auditTrail()) entries.push(JSON.stringify(entry));
    const bought = entries.filter((entry) => entry.includes("buy_offer")).join("");
    expect(bought).toContain(named.option);
    expect(bought).toContain(named.digest);
  });

  test.each(["", "yes please", "book it"])("by its data part beside %j", async (text) => {
    const named = optionOf(await bench.say({ show: [buy(first)] }));
    expect(kinds(await bench.say({ text, data: named }))).toEqual(["done"]);
  });

  test("by two messages at once, once", async () => {
    const named = optionOf(await bench.say({ show: [buy(first)] }));
    await Promise.all(
      [bench.say({ data: named }), bench.say({ data: named }), bench.say({ data: named })].map((one) =>
        one.catch(() => null),
      ),
    );
    expect(await bench.sold(first)).toBe(1);
  });

  test.each([
    ["2", second],
    ["book 2", second],
    ["number 1 please", first],
  ])("%s", async (text, id) => {
    await bench.say({ show: [buy(first), buy(second)] });
    expect(kinds(await bench.say({ text }))).toEqual(["done"]);
    expect(await bench.sold(id)).toBe(1);
  });

  test("of lines with numbers of their own and of others no two have the same", async () => {
    const shown = await bench.say({ show: [{ ...buy(first), n: 2 }, buy(second), { ...drop(first), n: 2 }] });
    expect(shown.options.map(({ n }) => n)).toEqual([2, 1, 3]);
  });

  test.each(["all", "1 and 2", "book both", "book 1 and 2 only", "book these"])("%s: both", async (text) => {
    await bench.say({ show: [buy(first), buy(second)] });
    expect(kinds(await bench.say({ text }))).toEqual(["done", "done"]);
    expect([await bench.sold(first), await bench.sold(second)]).toEqual([1, 1]);
  });

  test.each([
    "yes",
    "ok, thanks",
    "Go ahead!",
    "Book it.",
    "yes please, book it under PO 5512",
    "ja, bitte buchen",
    "sí, adelante",
    "oui, réservez",
    "sim, pode reservar",
  ])("by %s, where one was asked about", async (text) => {
    await bench.say({ show: [buy(first)], arm: true });
    expect(kinds(await bench.say({ text }))).toEqual(["done"]);
  });

  test("unarmed by an order for its deed, and not by a yes", async () => {
    await bench.say({ show: [buy(first)] });
    expect(await bench.say({ text: "yes" })).toMatchObject({ picked: "none", took: [] });
    expect(kinds(await bench.say({ text: "please place the booking" }))).toEqual(["done"]);
  });
});

describe("nothing is taken", () => {
  test.each([
    "yes?",
    "yes, if it is cheaper",
    "book it at 9",
    "yes but 2.5",
    "book it for June",
    "shall we book it",
    "he said yes",
    '"book it"',
    "book",
    "cancel it",
    "3",
    "4 and 1",
    "no",
    "not now",
    "wait",
    "don't book it",
    "book both of the others",
  ])("by %s beside two options", async (text) => {
    await bench.say({ show: [buy(first), buy(second)] });
    expect(await bench.say({ text })).toMatchObject({ took: [] });
    expect([await bench.sold(first), await bench.sold(second)]).toEqual([0, 0]);
  });

  test.each(["yes?", "yes if it holds", "cancel it", "ok so what is it", "yes 5", "maybe", "yes, but not now"])(
    "by %s beside an armed one",
    async (text) => {
      await bench.say({ show: [buy(first)], arm: true });
      expect(await bench.say({ text })).toMatchObject({ took: [] });
      expect(await bench.sold(first)).toBe(0);
    },
  );

  test.each(["no", "not yet", "wait", "cancel it", "2", "but at 9", "only if it is cheap"])(
    "by a data part beside %s",
    async (text) => {
      const named = optionOf(await bench.say({ show: [buy(first)] }));
      expect((await bench.say({ text, data: named })).picked).toMatch(/^wrong: Send the option without other words/);
      expect(await bench.sold(first)).toBe(0);
    },
  );

  test("after a no: what was open is closed", async () => {
    const named = optionOf(await bench.say({ show: [buy(first)], arm: true }));
    expect(await bench.say({ text: "no thanks" })).toMatchObject({ picked: "no" });
    expect((await bench.say({ text: "book it" })).took).toEqual([]);
    expect((await bench.say({ data: named })).picked).toBe(
      "wrong: That option is not open in this conversation; nothing was done.",
    );
  });

  test("by a yes after another reply", async () => {
    await bench.say({ show: [buy(first)], arm: true });
    await bench.say({ text: "what is that" });
    expect(await bench.say({ text: "yes" })).toMatchObject({ picked: "none" });
  });

  test("by a number that answers another question than the list", async () => {
    await bench.say({ show: [buy(first), buy(second)] });
    await bench.say({ text: "hm" });
    expect(await bench.say({ text: "2" })).toMatchObject({ picked: "none" });
    expect(kinds(await bench.say({ text: "book 2" }))).toEqual(["done"]);
  });

  test("by an order while another of its kind is open", async () => {
    await bench.say({ show: [buy(first)] });
    await bench.say({ show: [buy(second)] });
    expect(await bench.say({ text: "book it" })).toMatchObject({ picked: "none", took: [] });
  });

  test("for terms that changed: they are named, and the old option is gone", async () => {
    const named = optionOf(await bench.say({ show: [buy(first)] }));
    await bench.price(first, 11);
    const [took] = (await bench.say({ data: named })).took;
    expect(took).toMatchObject({ kind: "changed", now: { terms: "Offer of-00000001 at $11" } });
    expect(took?.kind === "changed" && took.why).toContain("Offer of-00000001 at $10");
    expect(await bench.sold(first)).toBe(0);
    expect((await bench.say({ data: named })).took).toEqual([]);
  });

  test("after a day", async () => {
    const named = optionOf(await bench.say({ show: [buy(first)] }));
    bench.wait(24 * 3_600_000);
    expect((await bench.say({ data: named })).took).toMatchObject([
      { kind: "changed", why: "What was shown has expired." },
    ]);
  });

  test("with a digest of other terms, in another context, or by another caller", async () => {
    const named = optionOf(await bench.say({ show: [buy(first)] }));
    expect(kinds(await bench.say({ data: { ...named, digest: "sha256:0" } }))).toEqual(["changed"]);
    const other = optionOf(await bench.say({ show: [buy(second)] }));
    const lost = "wrong: That option is not open in this conversation; nothing was done.";
    expect((await bench.say({ data: other, contextId: "d" })).picked).toBe(lost);
    expect((await bench.say({ data: other, by: "somebody" })).picked).toBe(lost);
    expect(await bench.sold(second)).toBe(0);
  });

  test.each([
    { option: 7, digest: "x" },
    { option: "o-1" },
    { options: [] },
    { options: [null] },
    { options: Array(50).fill({ option: "a", digest: "b" }) },
    {
      options: [
        { option: "o-1", digest: "a" },
        { option: "o-1", digest: "a" },
      ],
    },
  ])("by %j", async (data) => {
    await bench.say({ show: [buy(first)], arm: true });
    expect((await bench.say({ data })).picked).toMatch(/^wrong: .*nothing was done\.$/);
  });

  test("by an option beside words that are more than a yes", async () => {
    const data = optionOf(await bench.say({ show: [buy(first)] }));
    expect((await bench.say({ data, text: "but only at 8" })).picked).toMatch(/^wrong: /);
    expect(kinds(await bench.say({ data, text: "yes please" }))).toEqual(["done"]);
  });

  test("where the deed is refused: the option stays open", async () => {
    const shown = await bench.say({ show: [drop(first), buy("of-00000009")] });
    expect(shown.options.map(({ operation }) => operation)).toEqual(["drop_offer"]);
  });
});

test("what may only read writes nothing, also by a cast", async () => {
  expect(await bench.run("sneak", {}, "anonymous")).toMatchObject({ kind: "bug" });
  expect(await bench.sold(first)).toBe(0);
});

test("a dry run takes nothing and leaves the option open", async () => {
  const named = optionOf(await bench.say({ show: [buy(first)] }));
  await bench.run("talk", { context_id: "c", data: named, dry_run: true }, "anonymous");
  expect(await bench.sold(first)).toBe(0);
  expect(kinds(await bench.say({ data: named }))).toEqual(["done"]);
});

describe("exactly", () => {
  test.each([
    ["book qt-0123456789ab", ["book"], ["qt-0123456789ab"]],
    ["accept prop-01234567 and prop-89abcdef", ["accept"], ["prop-01234567", "prop-89abcdef"]],
    ["Please book number qt-0123456789ab, thanks", ["book"], ["qt-0123456789ab"]],
    ["book the quote qt-0123456789ab under PO 5512", ["book"], ["qt-0123456789ab"]],
  ])("%s", (text, deeds, ids) => {
    expect(exactly(text)).toMatchObject({ deeds, ids });
  });

  test("references are kept", () => {
    expect(exactly("yes, book it under our PO 5512-A")?.references).toEqual(["PO 5512-A"]);
  });

  test.each([
    "book qt-0123456789ab and 2",
    "book 1 and 1",
    "ok",
    "great, thanks",
    "thanks",
    "deal or no deal",
    "",
    "   ",
    "?",
    "ok then what",
  ])("%s is no order", (text) => {
    const found = exactly(text);
    expect(found === null || found.deeds.includes("yes")).toBe(true);
    expect(found?.deeds.includes("book") ?? false).toBe(false);
  });

  test.each([
    ["start", ["Ja, bitte starten", "Inicie la campaña, por favor", "Lancez la campagne, merci", "Inicie a campanha"]],
    ["approve", ["Bitte freigeben", "Lo apruebo, gracias", "Je valide", "Eu aprovo"]],
    ["drop", ["Bitte streichen", "Elimínelo", "Supprimez-le", "Remova"]],
    ["activate", ["Aktivieren Sie es", "Actívelo", "Activez-le", "Ative-o"]],
  ])("%s in German, Spanish, French and Portuguese", (deed, texts) => {
    for (const text of texts) expect(exactly(text)?.deeds, text).toContain(deed);
  });

  test("anything of any length takes no time", () => {
    const began = performance.now();
    for (const text of [
      "ok ".repeat(66),
      "yes ".repeat(50),
      "po ".repeat(66),
      "1 and ".repeat(33),
      "book ".repeat(40),
      "x".repeat(100_000),
    ])
      exactly(text);
    expect(performance.now() - began).toBeLessThan(250);
  });
});
