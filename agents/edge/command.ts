/** What serves the edge: `parley edge`, and the sample of `parley all`. */
export { runEdge, startEdge, type StartedEdge } from "./runtimes/run.ts";
