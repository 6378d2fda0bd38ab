import { emptyMemory, openMemoryStore } from "../../storage/memory/driver.ts";
import { describeStore } from "./contract.ts";

describeStore("in memory", async () => {
  const memory = emptyMemory();
  const openHere = () => openMemoryStore(memory, () => undefined);
  let store = openHere();
  const reopen = async () => {
    await store.close();
    return (store = openHere());
  };
  return { store, reopen, destroy: () => store.close() };
});
