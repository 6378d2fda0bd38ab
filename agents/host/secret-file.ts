import { closeSync, lstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { StartFailure } from "../../protocol/neutral/settings.ts";

const made = (path: string, text: string): void => {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
};

/** The text of a file that only its owner may read, made at the first start. */
export const secretFile = (path: string, make: () => string): string => {
  try {
    made(path, make());
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if ((lstatSync(path).mode & 0o077) !== 0) {
    throw new StartFailure(`${path} can be read by others. Run: chmod 600 ${path}`);
  }
  return readFileSync(path, "utf8").trim();
};
