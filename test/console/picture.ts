import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Pixels depend on the fonts that are there, so the pictures are written on request: PICTURES=write. */
const isWriting = process.env["PICTURES"] === "write";

const folder = new URL("../../docs/images", import.meta.url).pathname;

/** Width and height are in a PNG's first chunk (PNG 1.2, 11.2.2). */
const sizeOf = (png: Buffer): readonly number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

/** The picture in `docs/images` has the size of what is shown now. */
export const expectPicture = async (page: Page, name: string): Promise<void> => {
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
  await expect.poll(() => page.locator(".skeleton").count()).toBe(0);
  const file = join(folder, `${name}.png`);
  mkdirSync(folder, { recursive: true });
  const taken = await page.screenshot(isWriting || !existsSync(file) ? { path: file } : {});
  expect(sizeOf(readFileSync(file))).toEqual(sizeOf(taken));
};
