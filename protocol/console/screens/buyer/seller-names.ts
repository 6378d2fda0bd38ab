import { buyer } from "../../agent/buyer-operations.ts";
import { useRead } from "../../agent/read.ts";
import { plain } from "../../form.ts";

/** A seller by its name; by its address, without the protocol, until the name is known. */
export const useSellerNames = (): ((url: string) => string) => {
  const read = useRead(buyer.listSellers, {}, [], false);
  const names = new Map(read.output?.sellers.map(({ url, name }) => [url, name]));
  return (url) => plain(names.get(url) ?? url.replace(/^\w+:\/\//, ""));
};
