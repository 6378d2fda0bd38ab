export { runWorker } from "./runtimes/node/workers/worker.ts";
export { runEdge, startEdge, type StartedEdge } from "./runtimes/run.ts";
