import { verifyAuditTrail } from "../audit.ts";
import type { MovableStore, StoreContent, WholeRow } from "../content.ts";
import type { ChainHead } from "../store.ts";
import { type Inventory, takeInventory } from "./compare.ts";

/** `faults`: sentences, none for a store that is whole. */
export interface Checked extends Inventory {
  readonly faults: readonly string[];
  readonly records: number;
  readonly chains: readonly ChainHead[];
}

const mostNamed = 20;

/** Passes rows on, and keeps what is wrong with them. */
const watched = (content: StoreContent, faults: string[]): StoreContent => {
  const look = ({ kind, id, json }: WholeRow): void => {
    try {
      JSON.parse(json);
    } catch {
      if (faults.length < mostNamed) faults.push(`the body of row ${kind} ${id} is not JSON`);
    }
  };
  return {
    ...content,
    rows: async function* (kind, after) {
      for await (const page of content.rows(kind, after)) {
        page.forEach(look);
        yield page;
      }
    },
  };
};

const checkContent = async (content: StoreContent): Promise<Checked> => {
  const faults: string[] = [];
  const inventory = await takeInventory(watched(content, faults));
  faults.push(...(await content.faults()));
  const verdict = await verifyAuditTrail(content.trail(), content.heads);
  if (!verdict.ok) faults.push(`audit chain ${verdict.chain}, record ${verdict.seq}: ${verdict.reason}`);
  return { ...inventory, faults, records: verdict.ok ? verdict.records : 0, chains: content.heads };
};

/** Reads everything at one moment, and every audit record. */
export const checkStore = async (store: MovableStore): Promise<Checked> => {
  const content = await store.read();
  try {
    return await checkContent(content);
  } finally {
    await content.close();
  }
};
