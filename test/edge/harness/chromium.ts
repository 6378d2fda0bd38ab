import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium, type Browser } from "playwright-core";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const found = (): string | undefined => PLACES.find((place) => existsSync(place));

/** Installed when missing: a missing browser must not look like a green run. */
const executable = (): string => {
  if (found() === undefined) {
    execFileSync("apt-get", ["update", "-q"], { stdio: "ignore" });
    execFileSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"], { stdio: "ignore" });
  }
  const place = found();
  if (place === undefined) throw new Error("no browser: install the package chromium");
  return place;
};

const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: executable(), args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });

let shared: Promise<Browser> | undefined;

/** One for all files of a worker: it ends with the worker's process. */
export const startBrowser = (): Promise<Browser> => (shared ??= launch());

/** What a file opened, for the next file. */
export const closePages = async (browser: Browser): Promise<void> => {
  await Promise.all(browser.contexts().map((context) => context.close()));
};
