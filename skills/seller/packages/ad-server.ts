/** `changedAt` (ISO 8601) null where the ad server does not say. */
export interface AdServerItem {
  readonly itemId: string;
  readonly name: string;
  readonly inventoryType: string;
  readonly isArchived: boolean;
  readonly changedAt: string | null;
}

/** `message` is a sentence for the operator, without a credential. */
export type AdServerReading =
  | { readonly ok: true; readonly items: readonly AdServerItem[]; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly message: string };

/**
 * `read` returns everything, or what changed since a time, archived items included. Never throws for the ad server's
 * failures.
 */
export interface AdServer {
  /** Part of package ids: lower-case letters and hyphens. */
  readonly source: string;
  read(changedSince: string | null): Promise<AdServerReading>;
}

export type AdServerSettings =
  | { readonly type: "none" }
  | { readonly type: "csv"; readonly dir: string; readonly includeArchived: boolean }
  | {
      readonly type: "http";
      readonly feedUrl: string;
      readonly token: string | null;
      readonly includeArchived: boolean;
    };
