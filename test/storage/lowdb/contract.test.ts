import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLowdbStore } from "../../../storage/lowdb/driver.ts";
import { describeStore } from "../contract.ts";
import type { OpenStore } from "../contract/kit.ts";

const opener =
  (snapshotAfterBytes: number): OpenStore =>
  async () => {
    const dir = await mkdtemp(join(tmpdir(), "parley-lowdb-"));
    const openHere = () => openLowdbStore({ dir, snapshotAfterBytes, warn: () => undefined });
    let store = await openHere();
    const reopen = async () => {
      await store.close();
      return (store = await openHere());
    };
    const destroy = async () => {
      await store.close();
      await rm(dir, { recursive: true, force: true });
    };
    return { store, reopen, destroy };
  };

describeStore("lowdb", opener(32 << 20));
describeStore("lowdb that writes a snapshot after every commit", opener(1));
