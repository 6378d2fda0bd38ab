import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type AuditHead, EMPTY_HEAD } from "../../audit.ts";
import type { AuditRecord } from "../../store.ts";
import { storeError } from "../errors.ts";
import { openArchive, type Archive } from "./archive.ts";
import type { Files } from "./files.ts";

/** Audit chains that other stores wrote and a copy brought here: a file for each, whose name is that of the chain. */
export interface CopiedChains {
  last(chain: string): AuditHead;
  paths(): readonly string[];
  append(chain: string, records: readonly AuditRecord[]): Promise<void>;
  /** Of the chains that are kept here; see `Archive`. */
  replace(records: readonly AuditRecord[]): Promise<void>;
  read(): AsyncGenerator<AuditRecord>;
  /** A walk for each chain, or for those that `before` names, each below its number. */
  readBack(before: ReadonlyMap<string, number> | null): readonly AsyncGenerator<AuditRecord>[];
}

const fileName = /^audit-chain-([a-z]+-[0-9a-f]+)\.jsonl$/;

const nameOf = (chain: string): string => {
  const name = `audit-chain-${chain}.jsonl`;
  if (fileName.test(name)) return name;
  throw storeError("store_damaged", `${JSON.stringify(chain)} cannot be the name of an audit chain. Check the source.`);
};

export const bySeq = (records: readonly AuditRecord[], chain: string): ReadonlyMap<number, AuditRecord> =>
  new Map(records.flatMap((record) => (record.chain === chain ? [[record.seq, record]] : [])));

export const openCopiedChains = async (files: Files, dir: string): Promise<CopiedChains> => {
  const archives = new Map<string, Archive>();
  for (const name of (await readdir(dir)).sort()) {
    const chain = fileName.exec(name)?.[1];
    if (chain !== undefined) archives.set(chain, await openArchive(files, dir, name));
  }
  return {
    last: (chain) => archives.get(chain)?.last() ?? EMPTY_HEAD,
    paths: () => [...archives.keys()].map((chain) => join(dir, nameOf(chain))),
    append: async (chain, records) => {
      const archive = archives.get(chain) ?? (await openArchive(files, dir, nameOf(chain)));
      archives.set(chain, archive);
      await archive.append(records);
    },
    replace: async (records) => {
      for (const [chain, archive] of archives) await archive.replace(bySeq(records, chain));
    },
    read: async function* () {
      for (const archive of archives.values()) yield* archive.read();
    },
    readBack: (before) =>
      [...archives].map(([chain, archive]) =>
        archive.readBack(before === null ? Number.POSITIVE_INFINITY : (before.get(chain) ?? 0)),
      ),
  };
};
