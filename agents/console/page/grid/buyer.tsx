import { buyerName } from "../form.ts";

/** A name that a key claims and nobody verified is its own words. */
export const BuyerCell = ({
  name,
  owner,
}: {
  readonly name: string | null | undefined;
  readonly owner: string | undefined;
}) => <span class={owner?.startsWith("key:") === true ? "clip own-words" : "clip"}>{buyerName(name, owner)}</span>;
