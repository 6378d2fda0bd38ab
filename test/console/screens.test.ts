import type { Browser } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { closePages, startBrowser } from "../edge/harness/chromium.ts";
import { bookingOf, buyerNamed, offerOf, serveConsole, type Served } from "./harness.ts";
import { type Opened, signedIn } from "./page.ts";
import { expectSound } from "./sound.ts";

let seller: Served;
let browser: Browser;
let opened: Opened;
const ids: Record<string, string> = {};

const fill = async (): Promise<void> => {
  const buyer = await buyerNamed(seller, "Harbor Coffee");
  const { send } = seller;
  await bookingOf(seller, buyer);
  ids["approval"] = await offerOf(seller, buyer);
  const [talk] = (await send("operator", "list_negotiations", {}))["negotiations"] as { quote_id: string }[];
  ids["talk"] = String(talk?.quote_id);
  const quote = await send(buyer, "request_quote", { product_id: "prod-15ba2543", deal_type: "PD", impressions: 1e6 });
  const deal = await send(buyer, "book_deal", { quote_id: quote["quote_id"] });
  ids["deal"] = String(deal["deal_id"]);
  const order = await send(buyer, "create_order", { deal_id: deal["deal_id"] });
  ids["order"] = String(order["order_id"]);
  const change = { order_id: ids["order"], change_type: "impressions", proposed_values: { impressions: 900_000 } };
  const asked = await send(buyer, "create_change_request", { ...change, reason: "Less is enough" });
  ids["change"] = String(asked["change_request_id"]);
  ids["session"] = String((await send(buyer, "create_session", {}))["session_id"]);
  const message = { session_id: ids["session"], type: "query", content: { text: "What does CTV cost?" } };
  await send(buyer, "send_session_message", message);
  const buyers = (await send("operator", "list_buyers", {}))["buyers"] as { owner: string; name: string | null }[];
  ids["buyer"] = String(buyers.find(({ name }) => name === "Harbor Coffee")?.owner);
  const hook = { url: "https://hooks.example.com/parley", event_types: ["deal.created"] };
  ids["webhook"] = String((await send("operator", "create_webhook", hook))["webhook_id"]);
  const parts = { name: "Evening", placements: [{ product_id: "prod-15ba2543" }], base_price: 20, floor_price: 15 };
  ids["package"] = String((await send("operator", "create_package", parts))["package_id"]);
};

beforeAll(async () => {
  seller = await serveConsole();
  await fill();
  browser = await startBrowser();
  opened = await signedIn(browser, seller, "/console/");
});
afterAll(async () => {
  await closePages(browser);
  await seller.close();
});

const routes: readonly (readonly [path: string, heading: RegExp])[] = [
  ["home", /things? needs? you/],
  ["approvals", /^Approvals$/],
  ["approvals/{approval}", /Harbor Coffee offers/],
  ["approvals?view=history", /^Approvals$/],
  ["deals", /^Deals$/],
  ["deals/{deal}", /Pre-Roll Video/],
  ["negotiations", /^Price talk$/],
  ["negotiations/{talk}", /Harbor Coffee/],
  ["orders", /^Orders$/],
  ["orders/{order}", /^Order /],
  ["changes", /^Changes$/],
  ["changes/{change}", /^Change of impressions/],
  ["products", /^Products$/],
  ["products/prod-53e78a97", /CTV Premium Streaming/],
  ["packages", /^Packages$/],
  ["packages/{package}", /^Evening$/],
  ["talks", /^Talks$/],
  ["talks/{session}", /^Talk with/],
  ["buyers", /^Buyers$/],
  ["buyers/{buyer}", /Harbor Coffee/],
  ["keys", /^Keys$/],
  ["webhooks", /^Webhooks$/],
  ["webhooks/{webhook}", /hooks\.example\.com/],
  ["events", /^Events$/],
  ["audit", /^Audit$/],
  ["setup", /^Setup$/],
  ["none-such", /^Nothing here$/],
];

const pathOf = (path: string): string =>
  `/console/${path.replace(/\{(\w+)\}/, (_whole, name: string) => encodeURIComponent(ids[name] ?? ""))}`;

test.each(routes)("%s: both themes, both widths, no finding, no policy violation", async (path, heading) => {
  await expectSound(opened, seller, pathOf(path), heading);
});
