import * as buyer from "../../agent/buyer.generated.ts";
import { useRead } from "../../agent/read.ts";
import { plain } from "../../form.ts";

export type SellerOf = (url: string, otherwise?: string | null) => string;

/** A seller by the name of its card; by another name or its address where the card has none, or until it is read. */
export const useSellerNames = (): SellerOf => {
  const read = useRead(buyer.listSellers, {}, [], false);
  const names = new Map(read.output?.sellers.map(({ url, name }) => [url, name]));
  return (url, otherwise) => plain(names.get(url) ?? otherwise ?? url.replace(/^\w+:\/\//, ""));
};
