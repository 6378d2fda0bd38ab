import { parseSync } from "oxc-parser";
import type { Source } from "./rules.ts";

interface Declared {
  readonly exported: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
}

interface Statement {
  readonly type: string;
  readonly declaration?: Statement | null;
  readonly id?: { readonly name: string } | null;
  readonly declarations?: readonly { readonly id: { readonly type: string; readonly name?: string } }[];
}

const namesIn = ({ id, declarations = [] }: Statement): readonly string[] =>
  [id?.name, ...declarations.map((one) => one.id.name)].filter((name) => name !== undefined);

/** What a file declares at its top; a name that it passes on from another file is that file's. */
const declaredIn = (source: Source): Declared => {
  const exported = new Set<string>();
  const own = new Set<string>();
  for (const statement of parseSync(source.path, source.text).program.body as unknown as readonly Statement[]) {
    const isExported = statement.type === "ExportNamedDeclaration";
    const declaration = isExported ? statement.declaration : statement;
    if (declaration == null || declaration.type === "ImportDeclaration") continue;
    for (const name of namesIn(declaration)) (isExported ? exported : own).add(name);
  }
  return { exported, own };
};

/** A contract and its handler share their name: one home. */
const homeOf = ({ path }: Source): string => path.replace(/\/(contract|skill)\.ts$/, "");

const inMoreThan = (
  most: number,
  sources: readonly Source[],
  namesOf: (source: Source) => ReadonlySet<string>,
): readonly string[] => {
  const homes = new Map<string, Set<string>>();
  for (const source of sources) {
    for (const name of namesOf(source)) homes.set(name, (homes.get(name) ?? new Set()).add(homeOf(source)));
  }
  return [...homes].flatMap(([name, { size }]) => (size > most ? [name] : [])).sort();
};

/** Names that a reader cannot tell apart: exported by several files, or private in more than three. What is generated
 * repeats the names that it is generated from. */
export const sharedNames = (all: readonly Source[]) => {
  const sources = all.filter(({ path }) => !path.endsWith(".generated.ts"));
  const declared = new Map(sources.map((source) => [source, declaredIn(source)]));
  const none: ReadonlySet<string> = new Set();
  return {
    exported: inMoreThan(1, sources, (source) => declared.get(source)?.exported ?? none),
    own: inMoreThan(3, sources, (source) => declared.get(source)?.own ?? none),
  };
};
