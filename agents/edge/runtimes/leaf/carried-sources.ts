import type { EdgeSources } from "../../startup/load.ts";

const prefix = "PARLEY_EDGE_SOURCES_";

export const carriedSources = (variable: (name: string) => unknown): EdgeSources => {
  let text = "";
  for (let index = 0; ; index += 1) {
    const piece = variable(`${prefix}${index}`);
    if (typeof piece !== "string") break;
    text += piece;
  }
  return text === "" ? { configText: null, secretsText: null, environment: {} } : (JSON.parse(text) as EdgeSources);
};
