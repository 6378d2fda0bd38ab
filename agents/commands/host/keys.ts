import type { Command } from "commander";
import type { AgentHost } from "../../host/host.ts";
import type { AgentName } from "../../host/store-location.ts";
import { StartFailure } from "../../../protocol/neutral/settings.ts";
import { textTable } from "../../host/text-table.ts";
import { onHost } from "../agents.ts";
import type { AgentFlags } from "./flags.ts";
import { hostCall, answerFor } from "./answers.ts";
import { agentNamed, type CommandContext, namedBy, UsageFailure } from "../context.ts";

const operations = {
  seller: { list: "list_api_keys", revoke: "revoke_api_key" },
  buyer: { list: "list_operator_keys", revoke: "revoke_operator_key" },
} as const;

const roles = {
  seller: ["edge", "viewer", "operator", "senior"],
  buyer: ["viewer", "operator", "senior"],
} as const satisfies Readonly<Record<AgentName, readonly string[]>>;

interface ListedKey {
  readonly key_id: string;
  readonly role: string;
  readonly label: string | null;
  readonly is_active: boolean;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly use_count: number;
}

const pageKeys = 500;

export async function* keysOf(host: AgentHost, agent: AgentName): AsyncGenerator<ListedKey> {
  for (let offset = 0; ; offset += pageKeys) {
    const call = hostCall(operations[agent].list, { limit: pageKeys, offset });
    const page = (await answerFor(host, call)) as { readonly keys: readonly ListedKey[]; readonly total: number };
    yield* page.keys;
    if (offset + page.keys.length >= page.total || page.keys.length === 0) return;
  }
}

interface CreateFlags extends AgentFlags {
  readonly label: string;
  readonly role: string;
  readonly expiresInDays?: string;
  readonly quiet?: boolean;
}

const daysOf = (flag: string): number => {
  if (/^[1-9]\d{0,4}$/.test(flag)) return Number(flag);
  throw new UsageFailure(`--expires-in-days: ${JSON.stringify(flag)} is not a number of days.`);
};

const minting = { sells: false, writes: true } as const;

const looking = { sells: false, writes: false } as const;

const createKey = async (context: CommandContext, flags: CreateFlags): Promise<void> => {
  const { role, expiresInDays } = flags;
  const label = namedBy("--label", flags.label);
  const known: readonly string[] = roles[agentNamed(flags.agent)];
  if (!known.includes(role)) {
    throw new UsageFailure(`--role: ${JSON.stringify(role)} is none of ${known.join(", ")}.`);
  }
  const input = { label, role, ...(expiresInDays === undefined ? {} : { expires_in_days: daysOf(expiresInDays) }) };
  const key = (await onHost(context, flags, minting, (host) =>
    answerFor(host, hostCall("create_operator_key", input)),
  )) as {
    api_key: string;
    key_id: string;
  };
  if (flags.quiet === true) return context.print(key.api_key);
  context.print(`${key.key_id}  ${role} key for the ${flags.agent}, shown this once:`);
  context.print(key.api_key);
};

const columns = ["Key ID", "Label", "Role", "Active", "Created", "Expires", "Last used", "Uses"] as const;

/** Labels come from outside: control characters are shown escaped. */
const shownLabel = (label: string | null): string => JSON.stringify(label ?? "").slice(1, -1);

const cellsOf = (key: ListedKey): readonly string[] => [
  key.key_id,
  shownLabel(key.label),
  key.role,
  key.is_active ? "yes" : "no",
  key.created_at,
  key.expires_at ?? "never",
  key.last_used_at ?? "-",
  String(key.use_count),
];

interface ListFlags extends AgentFlags {
  readonly includeInactive?: boolean;
}

const listKeys = (context: CommandContext, flags: ListFlags): Promise<void> =>
  onHost(context, flags, looking, async (host, agent) => {
    const rows: (readonly string[])[] = [];
    for await (const key of keysOf(host, agent)) {
      if (key.is_active || flags.includeInactive === true) rows.push(cellsOf(key));
    }
    if (rows.length === 0) return context.print("No keys found.");
    for (const line of textTable([columns, ...rows]).lines) context.print(line);
  });

interface RevokeFlags extends AgentFlags {
  readonly keyId?: string;
  readonly label?: string;
}

const labelled = async (host: AgentHost, agent: AgentName, label: string): Promise<string> => {
  const ids: string[] = [];
  for await (const key of keysOf(host, agent)) if (key.is_active && (key.label ?? "") === label) ids.push(key.key_id);
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  const shown = JSON.stringify(label);
  throw new StartFailure(
    id === undefined
      ? `No active key has the label ${shown}. List them with: parley key list --agent ${agent}.`
      : `${ids.length} active keys have the label ${shown}: ${ids.join(", ")}. Name one with --key-id.`,
  );
};

const revokeKey = async (context: CommandContext, flags: RevokeFlags): Promise<void> => {
  const { keyId, label } = flags;
  if (keyId === undefined && label === undefined) throw new UsageFailure("Name the key with --key-id or --label.");
  const id = await onHost(context, flags, looking, async (host, agent) => {
    const named = keyId ?? (await labelled(host, agent, label ?? ""));
    await answerFor(host, hostCall(operations[agent].revoke, { key_id: named }));
    return named;
  });
  context.print(`${id} is revoked: its next use is refused.`);
};

/** `parley key`: the keys of an agent, whether it is served or not. */
export const addKeyCommand = (program: Command, context: CommandContext): void => {
  const keys = program.command("key").description("keys of an agent, on the host that owns the store");
  const command = (name: string, description: string): Command =>
    keys
      .command(name)
      .description(description)
      .requiredOption("--agent <name>", "seller or buyer")
      .option("--data <dir>", "data folder of the agent");
  command("create", "mint an operator key")
    .requiredOption("-l, --label <label>", "who the key is for")
    .option(
      "--role <role>",
      "edge (of an edge server), viewer (reads only), operator, or senior (also decides critical changes)",
      "senior",
    )
    .option("-e, --expires-in-days <n>", "days until the key expires; left out: the agent's default")
    .option("--quiet", "print the key and nothing else")
    .action((flags: CreateFlags) => createKey(context, flags));
  command("list", "list the active keys, without their secrets")
    .option("-a, --include-inactive", "list revoked and expired keys too")
    .action((flags: ListFlags) => listKeys(context, flags));
  command("revoke", "revoke a key for good")
    .option("-k, --key-id <id>", "id of the key; counts before --label")
    .option("-l, --label <label>", "label of the active key")
    .action((flags: RevokeFlags) => revokeKey(context, flags));
};
