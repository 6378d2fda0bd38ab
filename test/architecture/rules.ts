import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "oxc-parser";

export interface Source {
  readonly path: string;
  readonly text: string;
}

const folders = ["agents", "skills", "protocol", "machines", "storage", "tools"];

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

export const productSources = (root: string): Source[] =>
  folders
    .flatMap((folder) => filesBelow(join(root, folder)))
    .map((file) => ({ path: relative(root, file), text: readFileSync(file, "utf8") }));

interface ImportEdge {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

interface AnyNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

const walk = (node: AnyNode, visit: (node: AnyNode) => void): void => {
  visit(node);
  for (const value of Object.values(node)) {
    if (isNode(value)) walk(value, visit);
    else if (Array.isArray(value)) for (const item of value) if (isNode(item)) walk(item, visit);
  }
};

const nodesOf = (source: Source, types: readonly string[]): AnyNode[] => {
  const found: AnyNode[] = [];
  walk(parseSync(source.path, source.text).program as unknown as AnyNode, (node) => {
    if (types.includes(node.type)) found.push(node);
  });
  return found;
};

const importsOf = (source: Source): ImportEdge[] => {
  const parsed = parseSync(source.path, source.text).module;
  const types = nodesOf(source, ["TSImportType"]).map((node) => ({
    specifier: String((node["source"] as { value?: unknown }).value),
    typeOnly: true,
  }));
  const statics = parsed.staticImports.map((entry) => ({
    specifier: entry.moduleRequest.value,
    typeOnly: entry.entries.length > 0 && entry.entries.every((one) => one.isType),
  }));
  const exported = parsed.staticExports
    .flatMap((entry) => entry.entries)
    .filter((entry) => entry.moduleRequest !== null && entry.moduleRequest !== undefined)
    .map((entry) => ({ specifier: entry.moduleRequest?.value ?? "", typeOnly: entry.isType }));
  const dynamic = parsed.dynamicImports
    .map((entry) => source.text.slice(entry.moduleRequest.start, entry.moduleRequest.end))
    .filter((request) => /^["'`]/.test(request))
    .map((request) => ({ specifier: request.slice(1, -1), typeOnly: false }));
  return [...statics, ...exported, ...dynamic, ...types];
};

/** The first row that matches counts. */
const ownImports: readonly { readonly from: RegExp; readonly may: readonly RegExp[] }[] = [
  { from: /^machines\//, may: [/^machines\//] },
  { from: /^storage\/lowdb\/rows\//, may: [/^storage\/[^/]+$/, /^storage\/lowdb\/(rows\/|errors\.ts$)/] },
  {
    from: /^storage\/lowdb\/commit\//,
    may: [/^storage\/[^/]+$/, /^storage\/lowdb\/(commit\/|rows\/index\.ts$|errors\.ts$)/],
  },
  {
    from: /^storage\/lowdb\/log\//,
    may: [/^storage\/[^/]+$/, /^storage\/lowdb\/(log\/|(rows|commit)\/index\.ts$|errors\.ts$)/],
  },
  {
    from: /^storage\/(lowdb|memory)\/[^/]+$/,
    may: [/^storage\/[^/]+$/, /^storage\/lowdb\/([^/]+$|[^/]+\/index\.ts$)/],
  },
  { from: /^storage\//, may: [/^storage\//] },
  { from: /^protocol\/client-package\//, may: [/^protocol\/client-package\//] },
  { from: /^protocol\/neutral\//, may: [/^protocol\/neutral\//] },
  {
    from: /^agents\/console\/page\//,
    may: [
      /^agents\/console\/page\//,
      /^protocol\/neutral\/(?:reply-blocks|seen-text)\.ts$/,
      /^skills\/(seller|buyer|audit)\/.*contract\.ts$/,
    ],
  },
  { from: /^protocol\//, may: [/^protocol\//, /^storage\/store\.ts$/, /^machines\/money\.ts$/] },
  {
    from: /^skills\/seller\/(conversations|handovers)\//,
    may: [/^skills\/seller\//, /^machines\//, /^storage\/store\.ts$/, /^protocol\/(seam|neutral)\//],
  },
  // The seller's reader of text knows words and what was talked about; its replies can only read. `skill.ts` alone has the
  // context that writes, and gives it to the gate.
  {
    from: /^skills\/seller\/talk\/(requests|drafting|weighing|wishes|checks|said|terms|meant|figures|allocation)\.ts$/,
    may: [
      /^skills\/seller\/talk\/(requests|drafting|weighing|wishes|checks|said|terms|meant|figures|allocation|memory)\.ts$/,
      /^skills\/talk\/(reader|model)\//,
      /^machines\//,
    ],
  },
  {
    from: /^skills\/seller\/talk\/(?!(skill|contract|memory|exchanges)\.ts$)/,
    may: [
      /^skills\/seller\/talk\/(?!skill\.ts$)/,
      /^skills\/seller\/[^/]+\/contract\.ts$/,
      /^skills\/talk\/(reader|model)\//,
      /^skills\/talk\/gate\/(read-context|record|gate)\.ts$/,
      /^machines\//,
      /^protocol\/neutral\//,
    ],
  },
  {
    from: /^skills\/seller\//,
    may: [
      /^skills\/seller\//,
      /^skills\/(talk\/|audit\/|date-filter\.ts$)/,
      /^machines\//,
      /^storage\/store\.ts$/,
      /^protocol\/(seam|neutral|audience-plan)\//,
    ],
  },
  // The buyer's reader of text knows words, a brief and what a campaign is called; it reaches no gate and no operation.
  {
    from: /^skills\/buyer\/talk\/reader\//,
    may: [
      /^skills\/buyer\/talk\/(reader|words)\//,
      /^skills\/buyer\/talk\/(brief\/(form|questions)|replies\/job|glossary|record)\.ts$/,
      /^skills\/talk\/reader\//,
      /^machines\//,
    ],
  },
  // What a model reads is answered by the commands, and reaches no gate either.
  {
    from: /^skills\/buyer\/talk\/model\//,
    may: [
      /^skills\/buyer\/talk\/(model|reader)\//,
      /^skills\/buyer\/talk\/brief\/form\.ts$/,
      /^skills\/talk\/(reader|model)\//,
      /^machines\//,
    ],
  },
  // Its commands and replies can only read: `skill.ts` alone has the context that writes, and gives it to the gate.
  {
    from: /^skills\/buyer\/talk\/(?!(skill|record|contract)\.ts$)/,
    may: [
      /^skills\/buyer\/talk\/(?!skill\.ts$)/,
      /^skills\/buyer\/[^/]+\/(contract|rules)\.ts$/,
      /^skills\/talk\/gate\/(read-context|record|gate)\.ts$/,
      /^machines\//,
      /^protocol\/neutral\//,
    ],
  },
  {
    from: /^skills\/buyer\//,
    may: [
      /^skills\/buyer\//,
      /^skills\/(talk|audit)\//,
      /^skills\/seller\/[^/]+\/contract\.ts$/,
      /^machines\//,
      /^storage\/store\.ts$/,
      /^protocol\/(seam|neutral|audience-plan)\//,
    ],
  },
  { from: /^skills\/date-filter\.ts$/, may: [/^machines\//, /^protocol\/neutral\//] },
  {
    from: /^skills\/audit\//,
    may: [/^skills\/(audit\/|date-filter\.ts$)/, /^storage\/store\.ts$/, /^protocol\/(seam|neutral)\//],
  },
  // What reads and words cannot write: neither the gate nor a context that calls everything is within its reach.
  { from: /^skills\/talk\/reader\//, may: [/^skills\/talk\/reader\//, /^machines\//, /^protocol\/neutral\//] },
  {
    from: /^skills\/talk\/model\//,
    may: [
      /^skills\/talk\/(model|reader)\//,
      /^machines\//,
      /^protocol\/neutral\//,
      /^protocol\/seam\/json-schema\.ts$/,
    ],
  },
  {
    from: /^skills\/talk\/replies\//,
    may: [/^skills\/talk\/replies\//, /^skills\/talk\/gate\/read-context\.ts$/, /^machines\//, /^protocol\/neutral\//],
  },
  {
    from: /^skills\/talk\/gate\//,
    may: [/^skills\/talk\/gate\//, /^machines\//, /^storage\/store\.ts$/, /^protocol\/(seam|neutral)\//],
  },
  { from: /^tools\//, may: [/^tools\//, /^protocol\//, /^skills\//, /^storage\/store\.ts$/] },
  {
    from: /^agents\/edge\/runtimes\/(run\.ts$|node\/)/,
    may: [
      /^agents\/edge\//,
      /^agents\/server\/(engine-flags|rate-limiter|sweeper|wakeup)\.ts$/,
      /^protocol\/(neutral\/|client\/request\.ts$|seam\/operation\.ts$)/,
      /^skills\/seller\/(delivery|portfolio)\/contract\.ts$/,
      /^storage\//,
    ],
  },
  { from: /^agents\/edge\/runtimes\//, may: [/^agents\/edge\//, /^protocol\/neutral\//, /^storage\//] },
  { from: /^agents\/edge\/command\.ts$/, may: [/^agents\//, /^protocol\//, /^storage\//] },
  { from: /^agents\/edge\//, may: [/^agents\/edge\/(?!runtimes\/)/, /^protocol\/neutral\//] },
  {
    from: /^agents\/seller\//,
    may: [
      /^agents\/seller\//,
      /^agents\/((host|server|console|delivery|watch)\/)?[^/]+\.ts$/,
      /^skills\/(seller|talk)\//,
      /^protocol\//,
      /^storage\//,
      /^machines\//,
      /^tools\//,
    ],
  },
  {
    from: /^agents\/buyer\//,
    may: [
      /^agents\/buyer\//,
      /^agents\/((host|server|console|delivery|watch)\/)?[^/]+\.ts$/,
      /^skills\/(buyer|talk)\//,
      /^skills\/seller\/[^/]+\/contract\.ts$/,
      /^protocol\//,
      /^storage\//,
      /^machines\//,
      /^tools\//,
    ],
  },
  { from: /^agents\/(main\.ts|commands\/)/, may: [/./] },
  {
    from: /^agents\/server\/language-model\.ts$/,
    may: [/^skills\/talk\/model\/language-model\.ts$/, /^protocol\//],
  },
  {
    from: /^agents\/delivery\//,
    may: [/^agents\/(server|delivery|watch)\/[^/]+\.ts$/, /^protocol\//, /^storage\//, /^machines\//],
  },
  {
    from: /^agents\//,
    may: [/^agents\/((host|server|console|delivery|watch)\/)?[^/]+\.ts$/, /^protocol\//, /^storage\//, /^tools\//],
  },
];

/** A library that is not listed may be imported nowhere. */
const libraryHomes: Readonly<Record<string, readonly RegExp[]>> = {
  "@a2a-js/sdk": [/^protocol\/a2a\//, /^protocol\/client\/wires\/a2a\.ts$/],
  "@bomb.sh/tab": [/^agents\/commands\/completion\.ts$/],
  "@iabgpp/cmpapi": [/^agents\/edge\/consent\//],
  "@iabtcf/core": [/^agents\/edge\/consent\//],
  "@koa/router": [/^protocol\/rest\//],
  "@modelcontextprotocol/sdk": [/^agents\/commands\/connect\//, /^protocol\/client\/wires\/mcp\.ts$/],
  "@modelcontextprotocol/server": [/^tools\//],
  "@noble/ciphers": [/^agents\/edge\//],
  "@noble/hashes": [/^agents\/edge\//],
  commander: [/^agents\/main\.ts$/, /^agents\/commands\//],
  cookie: [/^agents\/edge\//, /^agents\/console\//],
  "csv-parse": [/^agents\/seller\/catalog\//],
  "css-tree": [/^agents\/edge\/html\//],
  "d3-array": [/^agents\/console\/page\//],
  entities: [/^agents\/edge\/html\//],
  esbuild: [/^agents\/edge\/runtimes\/bundle\.ts$/],
  "ipaddr.js": [/^protocol\/neutral\//, /^agents\/edge\//],
  jose: [/^protocol\/(a2a|door)\//],
  "json-rpc-2.0": [/^protocol\/jsonrpc\//],
  "jsonc-parser": [/^agents\/seller\/catalog\//],
  koa: [/^protocol\/rest\//],
  "koa-body": [/^protocol\/rest\//],
  lowdb: [/^storage\/lowdb\//],
  minisearch: [/^skills\/talk\/reader\//, /^skills\/seller\/media-kit\//, /^agents\/console\/page\/guide\//],
  preact: [/^agents\/console\/page\//],
  "preact-iso": [/^agents\/console\/page\//],
  "@opentelemetry/api": [/^protocol\/neutral\/trace\.ts$/],
  "@preact/signals": [/^agents\/console\/page\//],
  "p-retry": [/^protocol\/client(-package)?\//],
  parse5: [/^agents\/edge\/html\//],
  pg: [/^storage\/postgres\//],
  pino: [/^agents\/log\.ts$/],
  "prom-client": [/^agents\/watch\//],
  "rate-limiter-flexible": [/^agents\/server\/rate-limiter\.ts$/],
  "smol-toml": [/^agents\/edge\//, /^agents\/commands\/settings\//],
  "swagger-ui-dist": [/^protocol\/rest\//],
  undici: [/^protocol\/client\//],
  xstate: [/^machines\//, /^storage\/instances\.ts$/],
  zod: [/^protocol\//, /^skills\//, /^tools\//, /^agents\//],
};

const packageOf = (specifier: string): string =>
  specifier.startsWith("@") ? specifier.split("/").slice(0, 2).join("/") : (specifier.split("/")[0] ?? specifier);

const resolved = (path: string, specifier: string): string =>
  relative(".", join(path, "..", specifier)).replaceAll("\\", "/");

const libraryProblem = (path: string, specifier: string): string | null => {
  const name = packageOf(specifier);
  if (specifier.startsWith("node:")) {
    const isNeutral =
      /^(agents\/edge\/(?!runtimes\/|command\.ts$)|protocol\/client-package\/|protocol\/neutral\/|machines\/)/.test(
        path,
      );
    return isNeutral ? `${path}: ${specifier} is not allowed here: this folder must run on every platform` : null;
  }
  const homes = libraryHomes[name];
  if (homes === undefined) return `${path}: the library ${name} has no home in the import table`;
  const fits = homes.some((home) => home.test(path)) && !(name === "xstate" && path === "machines/money.ts");
  return fits ? null : `${path}: the library ${name} may not be imported here`;
};

/** These load what the table cannot see: a user's application, and files of a package. */
const loaders: readonly string[] = ["agents/edge/runtimes/example/commands.ts", "protocol/rest/pages/docs-pages.ts"];

/** A computed module name or a `require` of one's own would pass the table unseen. */
const hiddenImports = (source: Source): string[] => {
  if (loaders.includes(source.path)) return [];
  const problems = nodesOf(source, ["ImportExpression"])
    .filter((node) => (node["source"] as AnyNode).type !== "Literal")
    .map(() => `${source.path}: an import whose name is put together cannot be checked`);
  if (/\bcreateRequire\b/.test(source.text))
    problems.push(`${source.path}: what createRequire loads cannot be checked`);
  return problems;
};

/** What a text of others looks like, and where a reply holds a table, are one rule for every reader. */
const sharedWithBrowser = ["protocol/neutral/reply-blocks.ts", "protocol/neutral/seen-text.ts"];

/** The browser's script may know what the server's files promise, and load none of the others. */
const isLoadedByBrowser = (path: string, target: string, typeOnly: boolean): boolean =>
  path.startsWith("agents/console/page/") &&
  !sharedWithBrowser.includes(target) &&
  !target.startsWith("agents/console/page/") &&
  !typeOnly;

export const importProblems = (source: Source): string[] => {
  const row = ownImports.find((entry) => entry.from.test(source.path));
  const problems: string[] = hiddenImports(source);
  for (const { specifier, typeOnly } of importsOf(source)) {
    if (!specifier.startsWith(".")) {
      const problem = libraryProblem(source.path, specifier);
      if (problem !== null) problems.push(problem);
      continue;
    }
    const target = resolved(source.path, specifier);
    if (!/\.(tsx?|json)$/.test(specifier)) problems.push(`${source.path}: write ${specifier} with its .ts`);
    if (isLoadedByBrowser(source.path, target, typeOnly))
      problems.push(`${source.path}: may import ${target} for its types alone`);
    if (row === undefined || !row.may.some((may) => may.test(target))) {
      problems.push(`${source.path}: may not import ${target}`);
    }
  }
  return problems;
};

/** Type imports count too. */
export const importCircles = (sources: readonly Source[]): string[] => {
  const paths = new Set(sources.map(({ path }) => path));
  const edges = new Map(
    sources.map((source) => {
      const targets = importsOf(source).map(({ specifier }) => resolved(source.path, specifier));
      return [source.path, targets.filter((target) => paths.has(target))] as const;
    }),
  );
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const met = trail.indexOf(path);
    if (met >= 0) circles.push([...trail.slice(met), path].join(" -> "));
    if (met >= 0 || done.has(path)) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return circles;
};

/** Tables and generated files: size limits would tear them apart. */
const tables: readonly RegExp[] = [
  /default-products\.ts$/,
  /^agents\/edge\/routing\/routes\.ts$/,
  /^agents\/edge\/runtimes\/example\/template\.ts$/,
  /\.generated\.ts$/,
];

const longestFile = 400;
const longestFunction = 70;
const longestLine = 120;

const functionTypes = ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"];

const linesIn = (text: string): number => text.split("\n").length;

export const sizeProblems = (source: Source): string[] => {
  if (tables.some((table) => table.test(source.path))) return [];
  const problems: string[] = [];
  const count = linesIn(source.text.trimEnd());
  if (count > longestFile) problems.push(`${source.path}: ${count} lines, at most ${longestFile}`);
  for (const { start, end } of nodesOf(source, functionTypes)) {
    const length = linesIn(source.text.slice(start, end));
    const line = linesIn(source.text.slice(0, start));
    if (length > longestFunction)
      problems.push(`${source.path}:${line}: a function of ${length} lines, at most ${longestFunction}`);
  }
  for (const [index, line] of source.text.split("\n").entries()) {
    if (line.length > longestLine)
      problems.push(`${source.path}:${index + 1}: ${line.length} columns, at most ${longestLine}`);
  }
  return problems;
};

/** Where a function of more than `most` lines begins. */
export const functionsOver = (most: number, source: Source): string[] =>
  nodesOf(source, functionTypes)
    .filter(({ start, end }) => linesIn(source.text.slice(start, end)) > most)
    .map(({ start }) => `${source.path}:${linesIn(source.text.slice(0, start))}`);

const bannedNames = /(^|[-/])(utils?|helpers?|common|managers?|services?|impl|data)([-./]|$)/;

/** `comments`: looked for there too. */
interface BannedWord {
  readonly word: RegExp;
  readonly why: string;
  readonly comments?: true;
}

const bannedText: readonly BannedWord[] = [
  { word: /\b(TO[D]O|FIX[M]E|XXX|HACK)\b/, why: "finish it or leave it out", comments: true },
  {
    word: /(:|<|\bas)\s*any\b(?! of| other| more| number)/,
    why: "use unknown and narrow it",
  },
  { word: /\benum\s+[A-Z]/, why: "use a union of literals" },
  { word: /@ts-(ignore|expect-error|nocheck)/, why: "mend the type", comments: true },
  { word: /\bconsole\.\w+/, why: "take a log" },
  {
    word: /\b([Dd]ecisions?|(wire )?[Cc]ontract|[Dd]esign|[Ii]ssue) \d+\b/,
    why: "no reader can open it: say the reason, or name a public standard or docs/decisions",
    comments: true,
  },
];

const withoutComments = (source: Source): string => {
  let text = source.text;
  for (const comment of parseSync(source.path, source.text).comments) {
    const blank = text.slice(comment.start, comment.end).replace(/[^\n]/g, " ");
    text = text.slice(0, comment.start) + blank + text.slice(comment.end);
  }
  return text;
};

/** Comments may mention anything but unfinished work. */
export const wordProblems = (source: Source): string[] => {
  const problems: string[] = [];
  if (bannedNames.test(source.path)) problems.push(`${source.path}: the name says nothing of what is inside`);
  const code = withoutComments(source);
  for (const { word, why, comments } of bannedText) {
    const where = comments === true ? source.text : code;
    for (const found of where.matchAll(new RegExp(word, "g"))) {
      problems.push(`${source.path}:${linesIn(where.slice(0, found.index))}: ${found[0].trim()}: ${why}`);
    }
  }
  return problems;
};

const medianOf = (lengths: readonly number[]): number =>
  lengths.toSorted((left, right) => left - right)[Math.floor(lengths.length / 2)] ?? 0;

export const medianFileLength = (sources: readonly Source[]): number =>
  medianOf(sources.map((source) => linesIn(source.text.trimEnd())));

export const medianFunctionLength = (sources: readonly Source[]): number =>
  medianOf(
    sources.flatMap((source) =>
      nodesOf(source, functionTypes).map(({ start, end }) => linesIn(source.text.slice(start, end))),
    ),
  );
