import { buyerName, plain, roundMoney } from "../form.ts";
import { BuyerCell } from "./buyer.tsx";
import type { WorkColumn } from "./column.ts";

/** A record that belongs to a deal, and has it in short. */
interface OfDeal {
  readonly deal_summary?:
    | {
        readonly product_name: string;
        readonly buyer: string;
        readonly buyer_name: string | null;
        readonly value: number | null;
        readonly currency: string;
      }
    | undefined;
}

export const dealProduct = ({ deal_summary: deal }: OfDeal): string => plain(deal?.product_name ?? "No deal");

export const dealBuyer = ({ deal_summary: deal }: OfDeal): string => buyerName(deal?.buyer_name, deal?.buyer);

export const productColumn: WorkColumn<OfDeal> = {
  key: "product",
  name: "Product",
  narrow: "second",
  cell: (row) => <span class="clip">{dealProduct(row)}</span>,
  text: dealProduct,
};

export const buyerColumn: WorkColumn<OfDeal> = {
  key: "buyer",
  name: "Buyer",
  narrow: "second",
  cell: ({ deal_summary: deal }) => <BuyerCell name={deal?.buyer_name} owner={deal?.buyer} />,
  text: dealBuyer,
};

export const valueColumn: WorkColumn<OfDeal> = {
  key: "value",
  name: "Value",
  isNumber: true,
  narrow: "end",
  width: "96px",
  cell: ({ deal_summary: deal }) => <b>{roundMoney(deal?.value, deal?.currency)}</b>,
  text: ({ deal_summary: deal }) => String(deal?.value ?? ""),
};
