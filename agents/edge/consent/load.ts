import { loadGpp } from "./gpp.ts";
import { loadTcf } from "./tcf.ts";

/**
 * Loads the libraries that the consent cookies of a request need, once per process. They are large; without this every
 * start would wait for them.
 */
export const loadConsentReaders = async (cookies: ReadonlyMap<string, string>): Promise<void> => {
  const hasGpp = cookies.has("__gpp");
  if (hasGpp || cookies.has("euconsent-v2")) await loadTcf();
  if (hasGpp) await loadGpp();
};
