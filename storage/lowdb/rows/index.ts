export { applyRecord, emptyDocument, type Document, type Mark } from "./document.ts";
export { amountOf, applyReservation, copyLedgers, largestAmount, type Ledgers, setAmounts } from "./ledgers.ts";
export { readerOf } from "./reader.ts";
export { changesText, type CommitRecord, parseChanges, parseRow, type Row, rowText, type RowName } from "./record.ts";
export { Slots } from "./slots.ts";
export { restoreSum, storedSum } from "./sums.ts";
export { everyRow, findRow, kindsOf, rowsByKind, rowsWith, writeRow } from "./tables.ts";
