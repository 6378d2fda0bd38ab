import { StartFailure } from "../../../protocol/neutral/settings.ts";
import { noIdentity, ownerOf } from "../../../protocol/seam/caller.ts";
import { apiKeyKind, type ApiKeyRow } from "../../../skills/seller/api-keys/record.ts";
import { agentKind, type AgentRow } from "../../../skills/seller/registry/record.ts";
import type { MovableStore } from "../../../storage/content.ts";
import { pagesOf } from "../../../storage/upgrade.ts";
import type { Subject } from "../../host/forget-rules.ts";

const roles = ["key", "seat", "agency", "advertiser", "agent"] as const;

type BuyerRole = (typeof roles)[number];

interface NamedBuyer {
  readonly role: BuyerRole | null;
  readonly value: string;
}

const namedIn = (text: string): NamedBuyer => {
  const role = roles.find((one) => text.startsWith(`${one}:`)) ?? null;
  return { role, value: role === null ? text : text.slice(role.length + 1) };
};

const bodiesOf = async <T>({ store }: MovableStore, kind: string): Promise<readonly T[]> => {
  const bodies: T[] = [];
  for await (const page of pagesOf(store, kind)) bodies.push(...page.map(({ body }) => body as T));
  return bodies;
};

const ownerOfKey = ({ key_id: keyId, identity, life }: ApiKeyRow): string =>
  ownerOf(keyId, life.context.verified ? identity : noIdentity, life.context.verified);

/** What a key proves to be; a claim without proof could be anybody's. */
const isOf = (key: ApiKeyRow, role: BuyerRole, value: string, agents: readonly AgentRow[]): boolean => {
  const { identity, life } = key;
  if (role === "key") return key.key_id === value;
  if (role === "agent") {
    return agents.some((agent) => agent.url === key.agent_url && [agent.url, agent.agent_id].includes(value));
  }
  return life.context.verified && identity[`${role}_id`] === value;
};

interface KnownBuyers {
  readonly keys: readonly ApiKeyRow[];
  readonly agents: readonly AgentRow[];
}

const rolesOf = ({ keys, agents }: KnownBuyers, value: string): readonly BuyerRole[] =>
  roles.filter(
    (role) =>
      keys.some((key) => isOf(key, role, value, agents)) ||
      (role === "agent" && agents.some(({ url, agent_id: id }) => [url, id].includes(value))),
  );

const roleIn = (known: KnownBuyers, { role, value }: NamedBuyer): BuyerRole | null => {
  if (role !== null) return role;
  const found = rolesOf(known, value);
  if (found.length <= 1) return found[0] ?? null;
  const names = found.map((one) => `${one}:${value}`).join(", ");
  throw new StartFailure(`--buyer: ${JSON.stringify(value)} names several buyers: ${names}. Name one of them.`);
};

const expectBuyers = (keys: readonly ApiKeyRow[]): void => {
  const own = keys.find(({ role }) => role !== "buyer");
  if (own === undefined) return;
  throw new StartFailure(
    `--buyer: ${own.key_id} is a key of this seller's operators. Revoke it with parley key revoke.`,
  );
};

/** Records under one owner belong to all of its keys, and cannot be told apart. */
const expectUnshared = (
  picked: readonly ApiKeyRow[],
  keys: readonly ApiKeyRow[],
  owners: ReadonlySet<string>,
): void => {
  const other = keys.find((key) => !picked.includes(key) && owners.has(ownerOfKey(key)));
  if (other === undefined) return;
  const owner = ownerOfKey(other);
  throw new StartFailure(
    `--buyer: the key ${other.key_id} shares the records of ${owner}, and would lose them. Name all: --buyer ${owner}.`,
  );
};

const agentsOf = (known: KnownBuyers, picked: readonly ApiKeyRow[], role: BuyerRole | null, value: string) => {
  const urls = new Set(picked.flatMap(({ agent_url: url }) => url ?? []));
  const others = new Set(known.keys.flatMap((key) => (picked.includes(key) ? [] : (key.agent_url ?? []))));
  const isMeant = ({ url, agent_id: id }: AgentRow): boolean => role === "agent" && [url, id].includes(value);
  // A block holds as long as the address is known.
  return known.agents.filter(
    (agent) => agent.trust_status !== "blocked" && (isMeant(agent) || (urls.has(agent.url) && !others.has(agent.url))),
  );
};

const partiesOf = (picked: readonly ApiKeyRow[], keys: readonly ApiKeyRow[], owners: ReadonlySet<string>) => {
  const agencies = new Set(picked.flatMap(({ identity }) => identity.agency_id ?? []));
  const others = new Set(keys.flatMap((key) => (picked.includes(key) ? [] : (key.identity.agency_id ?? []))));
  return new Set([...owners, ...[...agencies].filter((id) => !others.has(id)).map((id) => `agency:${id}`)]);
};

/**
 * A buyer is a key, or what verified keys prove: a seat, an agency, an advertiser; or an agent by its address or id.
 * Throws `StartFailure` where the name means several, or where others would lose records with it.
 */
export const findBuyer = async (movable: MovableStore, text: string): Promise<Subject> => {
  const known: KnownBuyers = {
    keys: await bodiesOf<ApiKeyRow>(movable, apiKeyKind.name),
    agents: await bodiesOf<AgentRow>(movable, agentKind.name),
  };
  const asked = namedIn(text);
  const { value } = asked;
  const role = roleIn(known, asked);
  const picked = role === null ? [] : known.keys.filter((key) => isOf(key, role, value, known.agents));
  expectBuyers(picked);
  const shown = role === null ? value : `${role}:${value}`;
  const direct = role === null || role === "agent" ? [] : [shown];
  const owners = new Set([...direct, ...picked.flatMap((key) => [ownerOfKey(key), `key:${key.key_id}`])]);
  expectUnshared(picked, known.keys, owners);
  const agents = agentsOf(known, picked, role, value);
  return {
    shown,
    value,
    owners,
    keyIds: new Set(picked.map(({ key_id: id }) => id)),
    parties: partiesOf(picked, known.keys, owners),
    agentIds: new Set(agents.map(({ agent_id: id }) => id)),
    names: new Set(agents.map(({ url }) => url)),
  };
};
