import { signal } from "@preact/signals";

const header = "X-Parley-Sandbox";
const place = "parley-sandbox";

interface Tab {
  readonly sessionStorage?: {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
    removeItem(name: string): void;
  };
  readonly location?: { reload(): void };
}

/** What reads the contracts of calls alone has no tab. */
const tab = globalThis as Tab;

/** Whether this page shows the sandbox beside the agent; for as long as its tab is open. */
export const isInSandbox = tab.sessionStorage?.getItem(place) === "1";

/** Whether the agent has a sandbox for single calls. */
export const hasSandbox = signal(false);

/** Signing in and out is the agent's own, everything else the sandbox's. */
export const sandboxHeaders = (url: string): Readonly<Record<string, string>> =>
  isInSandbox && !url.startsWith("/console/") ? { [header]: "true" } : {};

export const findSandbox = async (): Promise<void> => {
  const answer = await fetch("/healthz", { headers: { [header]: "true" } }).catch(() => null);
  hasSandbox.value = answer?.headers.get(header) === "true";
};

/** Loads the page anew: nothing of the one may stand beside the other. */
export const switchSandbox = (): void => {
  if (isInSandbox) tab.sessionStorage?.removeItem(place);
  else tab.sessionStorage?.setItem(place, "1");
  tab.location?.reload();
};
