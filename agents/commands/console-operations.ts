import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Contract, RestRoute } from "../../protocol/seam/operation.ts";

const page = "agents/console/page/agent";

const camelOf = (name: string): string => name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase());

/** Of the agent, and those that both agents have. */
const contractFiles = (root: string, agent: string) => {
  const folders = [agent, "audit"].map((name) => join(root, "skills", name));
  return folders
    .flatMap((folder) => readdirSync(folder, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.name === "contract.ts")
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((file) => ({ path: relative(join(root, page), file), text: readFileSync(file, "utf8") }));
};

const parametersOf = (path: string): number => path.split("/:").length;

/** An alias that needs fewer of the input's members is a way of its own: it is taken where one of them is missing. */
const pathsOf = ({ method, path, aliases = [] }: RestRoute): readonly string[] => [
  path,
  ...aliases.flatMap((alias) =>
    alias.method === method && parametersOf(alias.path) < parametersOf(path) ? [alias.path] : [],
  ),
];

/** What the console's page needs to call each operation of an agent: name, route, and the types of its contract. */
export const consoleOperations = (root: string, agent: string, contracts: readonly Contract[]): [string, string] => {
  const files = contractFiles(root, agent);
  const named = new Map<string, string>();
  const rows: string[] = [];
  for (const { name, rest } of contracts) {
    const exported = camelOf(name);
    const file = files.find(({ text }) => text.includes(`export const ${exported} =`));
    if (rest === undefined || file === undefined) continue;
    const module = camelOf((file.path.split("/").at(-2) ?? "").replaceAll("-", "_"));
    named.set(module, file.path);
    const route = [name, rest.method, ...pathsOf(rest)].map((text) => JSON.stringify(text)).join(", ");
    rows.push(`export const ${exported} = /* @__PURE__ */ operation<typeof ${module}.${exported}>(${route});`);
  }
  const imports = [...named].map(([module, path]) => `import type * as ${module} from "${path}";`);
  const text = `// Written by \`npm run gen\` from the contracts of the ${agent}.
${imports.join("\n")}
import { operation } from "./api.ts";

${rows.join("\n")}
`;
  return [`${page}/${agent}.generated.ts`, text];
};
