import type { Browser, BrowserContext, Page } from "playwright-core";

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console output but for information, script errors, dialogs, policy violations and requests to others. */
  readonly heard: readonly string[];
}

/** An agent with a console. */
export interface Visited {
  readonly url: string;
  readonly operatorKey: string;
  nowMs(): number;
}

export interface Look {
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly key?: string;
}

const violations = `
  document.addEventListener("securitypolicyviolation", (event) => console.error("policy: " + event.violatedDirective));
`;

/** A browser of its own, without a session. */
export const visit = async (browser: Browser, agent: Visited, path: string, look: Look = {}): Promise<Opened> => {
  const { width = 1360, theme = "light" } = look;
  const height = width < 600 ? 740 : 900;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  // Under the time of a test, so that what never came is named.
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const heard: string[] = [];
  page.on("console", (message) => {
    if (message.type() !== "info") heard.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => heard.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    heard.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(agent.url)) heard.push(`request: ${request.url()}`);
  });
  await page.clock.setFixedTime(agent.nowMs());
  await page.addInitScript(violations);
  await page.goto(new URL(path, agent.url).href);
  return { page, context, heard };
};

/** Signed in with a key, on the screen of `path`. */
export const signedIn = async (browser: Browser, agent: Visited, path: string, look: Look = {}): Promise<Opened> => {
  const opened = await visit(browser, agent, path, look);
  await opened.page.getByLabel("Operator's key").fill(look.key ?? agent.operatorKey);
  await opened.page.getByRole("button", { name: "Sign in" }).click();
  await opened.page.locator("#main").waitFor();
  return opened;
};

export const isTooWide = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
