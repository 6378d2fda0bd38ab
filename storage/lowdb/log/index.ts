export { type CopiedChains, openCopiedChains } from "./chains.ts";
export { diskFiles, type Files } from "./files.ts";
export { openJournal, type Journal } from "./journal.ts";
export { type FolderLock, lockFolder } from "./lock.ts";
export { recordLine } from "./record.ts";
export { type Folder, holdsStore, recover, type Recovered } from "./recover.ts";
export { snapshotAdapter } from "./snapshot.ts";
export { readTrail, readTrailBack } from "./trail.ts";
export { startUpkeep, type Upkeep } from "./upkeep.ts";
