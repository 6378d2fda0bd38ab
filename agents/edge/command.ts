/** What the command line runs: `parley edge`, `parley edge check`, `parley edge new` and `parley edge dev`. */
export { checkEdge } from "./runtimes/check.ts";
export { devEdgeApp, newEdgeApp } from "./runtimes/example/commands.ts";
export { runEdge, startEdge, type StartedEdge } from "./runtimes/run.ts";
