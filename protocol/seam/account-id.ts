import { createHash } from "node:crypto";

/** Whom a buyer buys for: an advertiser's brand, through the company that operates. Names are domains. */
export interface NaturalAccount {
  readonly brandDomain: string;
  readonly brandId: string | null;
  readonly operator: string;
  readonly sandbox: boolean;
}

/** The same for the same names of one owner, so that an account needs not be looked up to be named. */
export const accountIdOf = (owner: string, { brandDomain, brandId, operator, sandbox }: NaturalAccount): string => {
  const names = JSON.stringify([owner, brandDomain, brandId, operator, sandbox]);
  return `acc-${createHash("sha256").update(names).digest("hex").slice(0, 24)}`;
};
