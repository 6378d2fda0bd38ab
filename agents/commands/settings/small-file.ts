import { readFileSync, statSync } from "node:fs";

interface SmallFile {
  readonly text: string;
  /** Permissions for all users of the machine, the last octal digit of its mode. */
  readonly forAll: number;
}

const largestFile = 1_048_576;

const readFailures: Readonly<Record<string, string>> = {
  ENOENT: "is not there. Check the path.",
  ENOTDIR: "is not there. Check the path.",
  EACCES: "cannot be read by the user that runs this program. Give it that owner, or its group the right to read.",
};

/** What is wrong is the end of a sentence with the cure. A pipe is not read: it could wait for ever. */
export const readSmallFile = (path: string, largest = largestFile): SmallFile | { readonly wrong: string } => {
  try {
    const found = statSync(path);
    if (!found.isFile()) return { wrong: "is no file. Name a file." };
    if (found.size > largest) return { wrong: `is larger than ${largest} bytes. Name the right file.` };
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    return { text, forAll: found.mode & 0o007 };
  } catch (error) {
    if (error instanceof TypeError) return { wrong: "is not UTF-8. Save it in that encoding." };
    const { code = "" } = error as NodeJS.ErrnoException;
    return { wrong: readFailures[code] ?? `cannot be read (${code}).` };
  }
};
