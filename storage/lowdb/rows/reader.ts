import type { Store, StoreReader } from "../../store.ts";
import type { Document } from "./document.ts";
import { amountsBySlot, largestAmount } from "./ledgers.ts";
import { dueRows, getRow, listRows } from "./queries.ts";
import { addedUp } from "./sums.ts";
import { rowsWith } from "./tables.ts";

type Reader = StoreReader & Pick<Store, "due" | "auditHeads">;

export const readerOf = (document: Document, checkOpen: () => void): Reader => {
  const { tables, ledgers, sums } = document;
  return {
    get: async (kind, id) => {
      checkOpen();
      return getRow(tables, kind, id);
    },
    list: async (query) => {
      checkOpen();
      return await listRows(tables, query);
    },
    count: async (kind, term) => {
      checkOpen();
      return rowsWith(tables, kind, term).size;
    },
    reserved: async (ledger, fromSlot, toSlot) => {
      checkOpen();
      return largestAmount(ledgers, ledger, fromSlot, toSlot);
    },
    added: async (names, fromSlot, toSlot) => {
      checkOpen();
      return addedUp(sums, names, fromSlot, toSlot);
    },
    reservedSlots: async (ledger, fromSlot, toSlot) => {
      checkOpen();
      return amountsBySlot(ledgers, ledger, fromSlot, toSlot);
    },
    due: async (nowMs, limit) => {
      checkOpen();
      return dueRows(tables, nowMs, limit);
    },
    auditHeads: async () => {
      checkOpen();
      return [{ chain: document.chain, ...document.mark.audit }];
    },
  };
};
