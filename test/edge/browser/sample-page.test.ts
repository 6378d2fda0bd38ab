import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSampleEdge } from "../../../agents/commands/sample-edge.ts";
import type { StartedEdge } from "../../../agents/edge/command.ts";
import { closePages, startBrowser } from "../harness/chromium.ts";

describe("the sample publisher's page of `parley all` in a real browser", () => {
  let browser: Browser;
  let edge: StartedEdge;
  let folder: string;
  let tab: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-sample-"));
    edge = await startSampleEdge("127.0.0.1", 0, folder);
    browser = await startBrowser();
    tab = await browser.newPage();
  });
  afterAll(async () => {
    await closePages(browser);
    await edge.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ad = () => tab.frameLocator("#top iframe").locator("p");

  const choose = async (name: string): Promise<void> => {
    const loaded = tab.waitForEvent("load");
    await tab.getByRole("button", { name }).click();
    await loaded;
  };

  test("shows the ad of the highest bidder, its link on a signed address of the publisher's own", async () => {
    await tab.goto(edge.url);
    expect(await ad().textContent()).toBe("An advertisement by beta");
    const href = await tab.frameLocator("#top iframe").locator("a").getAttribute("href");
    const answer = await tab.request.get(href ?? "", { maxRedirects: 0 });
    expect([answer.status(), answer.headers().location]).toEqual([302, "https://beta.example/offer?from=sample"]);
  });

  test("the ad fits its frame, without bars to scroll by", async () => {
    await tab.goto(edge.url);
    await ad().waitFor();
    const root = "document.documentElement";
    const sizes = await ad().evaluate(`[${root}.scrollWidth, ${root}.scrollHeight]`);
    expect(sizes).toEqual([300, 250]);
  });

  test("a visitor who refuses gets the page without an ad, one who agrees gets the ad again", async () => {
    await tab.goto(edge.url);
    await choose("Refuse ads");
    expect(await tab.locator("h1").textContent()).toBe("The Sample Times");
    expect(await tab.locator("#top").innerHTML()).toBe("");
    expect(await tab.evaluate("window.tsjs.adSlots")).toBeUndefined();
    await choose("Agree to ads");
    expect(await ad().textContent()).toBe("An advertisement by beta");
  });
});
