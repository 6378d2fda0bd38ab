import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { isTooWide, type Opened, type Visited } from "./page.ts";

/** Rules whose outcome a theme can change. */
const colorRules = ["color-contrast", "link-in-text-block"];

/** All rules, or the named ones alone. */
export const findings = async (page: Page, rules: readonly string[] | null = null): Promise<unknown> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = rules === null ? {} : { runOnly: rules };
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id, nodes }) =>
    id + ": " + nodes.map(({ html }) => html).join(" ")))`);
};

const cutOff = (filters: readonly { scrollWidth: number; clientWidth: number; innerText: string }[]) =>
  filters.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText);

/** In both themes and at both widths: no finding of axe, no sideways scroll, no error, no policy violation. */
export const expectSound = async (
  { page, heard }: Opened,
  agent: Visited,
  path: string,
  heading: RegExp,
): Promise<void> => {
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(new URL(path, agent.url).href);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
  expect(await page.locator(".problem").allInnerTexts()).toEqual([]);
  expect(await findings(page), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findings(page, colorRules), "dark").toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await findings(page), "narrow").toEqual([]);
  expect(await isTooWide(page)).toBe(false);
  expect(await page.locator(".choices").evaluateAll(cutOff)).toEqual([]);
  expect(heard).toEqual([]);
};
