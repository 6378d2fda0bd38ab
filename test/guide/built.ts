interface Built {
  /** Links that lead nowhere. */
  readonly problems: readonly string[];
  /** Pages that the index does not name. */
  readonly unlisted: readonly string[];
}

export const { buildGuide } = (await import(new URL("../../.ci/build.mjs", import.meta.url).href)) as {
  readonly buildGuide: (root: string) => Promise<Built>;
};

let built: Promise<Built> | undefined;

/** Once in a worker. */
export const builtGuide = (): Promise<Built> => (built ??= buildGuide(new URL("../../", import.meta.url).pathname));
