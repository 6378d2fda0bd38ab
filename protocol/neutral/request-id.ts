const safeId = /^[A-Za-z0-9][A-Za-z0-9._:@=+/-]{0,127}$/;

/** 1 to 128 characters that no log or header misreads, else null. */
export const safeRequestId = (given: unknown): string | null =>
  typeof given === "string" && safeId.test(given) ? given : null;
