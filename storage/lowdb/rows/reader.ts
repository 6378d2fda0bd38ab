import { chainKind } from "../../content.ts";
import type { ChainHead, Store, StoreReader } from "../../store.ts";
import type { Document } from "./document.ts";
import { amountsBySlot, largestAmount } from "./ledgers.ts";
import { dueRows, getRow, listRows } from "./queries.ts";
import { addedUp } from "./sums.ts";
import { rowsWith, type Tables } from "./tables.ts";

type Reader = StoreReader & Pick<Store, "due" | "auditHeads">;

/** Ends of the chains that a copy brought here. */
const copiedHeads = (tables: Tables): readonly ChainHead[] =>
  [...rowsWith(tables, chainKind, null).walk({ order: "oldest", after: undefined, offset: 0 })].map(
    ({ json }) => JSON.parse(json) as ChainHead,
  );

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
      return [...copiedHeads(tables), { chain: document.chain, ...document.mark.audit }];
    },
  };
};
