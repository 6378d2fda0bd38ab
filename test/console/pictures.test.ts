import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { bookingOf, buyerNamed, offerOf, serveConsole, type Served } from "./harness.ts";
import { type Look, signedIn } from "./page.ts";
import { expectPicture } from "./picture.ts";

let seller: Served;
let browser: Browser;
let harborOffer: string;
let talk: string;

const hourMs = 3_600_000;

beforeAll(async () => {
  seller = await serveConsole();
  const { world, send } = seller;
  const northlight = await buyerNamed(seller, "Northlight Media");
  const kestrel = await buyerNamed(seller, "Kestrel Air");
  for (const [days, impressions] of [
    [3, 800_000],
    [5, 1_200_000],
    [2, 500_000],
    [6, 1_000_000],
  ] as const) {
    const terms = { deal_type: "PG", impressions, flight_start: "2027-03-01", flight_end: "2027-03-28" };
    const quote = await send(kestrel, "request_quote", { product_id: "prod-53e78a97", ...terms });
    await send(kestrel, "book_deal", { quote_id: quote["quote_id"] });
    world.advance(days * 24 * hourMs);
  }
  await send("anonymous", "create_api_key", {
    agency_id: "late-1",
    agency_name: "Latecomer Media",
    label: "Latecomer",
  });
  world.advance(hourMs);
  await bookingOf(seller, kestrel);
  await offerOf(seller, northlight);
  world.advance(hourMs / 2);
  harborOffer = await offerOf(seller, await buyerNamed(seller, "Harbor Coffee"), "prod-91ddc363");
  await bookingOf(seller, await buyerNamed(seller, "Bergmann & Söhne"));
  const talks = (await send("operator", "list_negotiations", {}))["negotiations"] as { quote_id: string }[];
  talk = String(talks[0]?.quote_id);
  world.advance(hourMs / 3);
  browser = await startBrowser();
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
});

const pictures: readonly (readonly [name: string, path: () => string, ready: string, look: Look])[] = [
  ["approvals-light", () => `approvals/${harborOffer}`, ".plot svg", {}],
  ["approvals-dark", () => `approvals/${harborOffer}`, ".plot svg", { theme: "dark" }],
  ["approvals-narrow", () => `approvals/${harborOffer}`, ".ruler", { width: 360 }],
  ["home", () => "home", ".plot svg", {}],
  ["price-talk", () => `negotiations/${talk}`, ".plot svg", {}],
  ["availability", () => "products/prod-53e78a97", ".strip", {}],
];

test.each(pictures)("the picture %s is that of a screen", async (name, path, ready, look) => {
  const { page, heard, context } = await signedIn(browser, seller, `/console/${path()}`, look);
  await page.locator(ready).first().waitFor();
  await expectPicture(page, name);
  expect(heard).toEqual([]);
  await context.close();
});
