/** On a fault, the first record that does not fit. */
export type AuditCheck =
  | { readonly ok: true; readonly records: number; readonly chains: number }
  | { readonly ok: false; readonly chain: string; readonly seq: number; readonly reason: string };
