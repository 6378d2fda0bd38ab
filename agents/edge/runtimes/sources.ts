import { readFile, stat } from "node:fs/promises";
import type { EdgeSources } from "../startup/load.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const isOurs = (name: string): boolean =>
  name.startsWith("TRUSTED_SERVER__") ||
  ["OUTBOUND_ALLOW", "CONNECTIONS_PER_ADDRESS", "FASTLY_SERVICE_VERSION", "FASTLY_IS_STAGING"].includes(name);

const readOrNull = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, "utf8");
  } catch {
    return null;
  }
};

/** Reads both files; one that cannot be read is a start-up error of the edge, not a failure to start. */
export const readSources = async (
  configFile: string,
  secretsFile: string,
  environment: Environment,
): Promise<EdgeSources> => ({
  configText: await readOrNull(configFile),
  secretsText: await readOrNull(secretsFile),
  environment: Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => {
      return isOurs(name) && value !== undefined ? [[name, value]] : [];
    }),
  ),
});

/** What is wrong with the rights of a file of secrets, with the cure; null: others of the machine have none. */
export const openSecrets = async (file: string): Promise<string | null> => {
  const mode = (await stat(file).catch(() => null))?.mode ?? 0;
  return (mode & 0o007) === 0 ? null : `all users of this machine can read or write ${file}; run: chmod o= ${file}`;
};

const chunkChars = 30_000;

export const sourcesPrefix = "PARLEY_EDGE_SOURCES_";

/**
 * The sources as variables of a child's environment. One variable may hold 128 KiB on Linux, so a long
 * configuration is cut; four bytes per character at most keeps every piece below that.
 */
export const toVariables = (sources: EdgeSources): Record<string, string> => {
  const text = JSON.stringify(sources);
  const pieces: Record<string, string> = {};
  for (let index = 0; index * chunkChars < text.length; index += 1) {
    pieces[`${sourcesPrefix}${index}`] = text.slice(index * chunkChars, (index + 1) * chunkChars);
  }
  return pieces;
};
