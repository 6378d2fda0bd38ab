export { runEdge, startEdge, type StartedEdge } from "./runtimes/run.ts";
