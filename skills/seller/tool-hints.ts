/** Of a tool that only reads what is stored here. */
export const reads = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
