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
  /** What is waited for; the console's screen where left out. */
  readonly until?: string;
}

const violations = `
  document.addEventListener("securitypolicyviolation", (event) => console.error("policy: " + event.violatedDirective));
`;

type Cookie = Parameters<BrowserContext["addCookies"]>[0][number];

/** A context of its own. */
const openPage = async (
  browser: Browser,
  agent: Visited,
  path: string,
  { look, cookies }: { readonly look: Look; readonly cookies: readonly Cookie[] },
): Promise<Opened> => {
  const { width = 1360, theme = "light" } = look;
  const height = width < 600 ? 740 : 900;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  // Under the time of a test, so that what never came is named.
  context.setDefaultTimeout(20_000);
  await context.addCookies(cookies);
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

/** Without a session. */
export const visit = (browser: Browser, agent: Visited, path: string, look: Look = {}): Promise<Opened> =>
  openPage(browser, agent, path, { look, cookies: [] });

const sessions = new Map<string, Promise<Cookie>>();

const signIn = async ({ url }: Visited, key: string): Promise<Cookie> => {
  const headers = { "X-Parley-Console": "1", "Content-Type": "application/json" };
  const answer = await fetch(new URL("/console/session", url), {
    method: "POST",
    headers,
    body: JSON.stringify({ key }),
  });
  const [name = "", value = ""] = (answer.headers.get("set-cookie") ?? "").split(";")[0]?.split("=") ?? [];
  if (answer.status !== 201) throw new Error(`the sign-in answered ${answer.status}`);
  return { name, value, url };
};

/** One session for each agent and key. */
const sessionOf = (agent: Visited, key: string): Promise<Cookie> => {
  const name = `${agent.url} ${key}`;
  const known = sessions.get(name) ?? signIn(agent, key);
  sessions.set(name, known);
  return known;
};

/** With the session of a key, on the screen of `path`. */
export const signedIn = async (browser: Browser, agent: Visited, path: string, look: Look = {}): Promise<Opened> => {
  const cookies = [await sessionOf(agent, look.key ?? agent.operatorKey)];
  const opened = await openPage(browser, agent, path, { look, cookies });
  await opened.page.locator(look.until ?? "#main").waitFor();
  return opened;
};

export const isTooWide = (page: Page): Promise<unknown> =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
