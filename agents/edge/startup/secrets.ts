import type { EdgeConfig } from "../config.ts";
import type { StartupProblem } from "./problems.ts";

type Rule = (value: string) => string | null;
interface Leaf {
  readonly key: string;
  readonly name: string;
  readonly rules: readonly Rule[];
  /** What cannot be done without the entry, in front of the message. */
  readonly loss?: string;
  set(value: string): void;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

const notEmpty: Rule = (value) => (value === "" ? "is empty" : null);
const minChars =
  (least: number, code: string): Rule =>
  (value) =>
    Array.from(value).length < least ? `${code}: needs at least ${least} characters` : null;
const minBytes =
  (least: number, code: string): Rule =>
  (value) =>
    bytesOf(value) < least ? `${code}: needs at least ${least} bytes` : null;
const printable: Rule = (value) =>
  /^[!-~]*$/.test(value) ? null : "invalid_trusted_client_ip_shared_secret: only printable ASCII without blanks";
const noPlaceholder =
  (...words: string[]): Rule =>
  (value) =>
    words.includes(value.toLowerCase())
      ? "insecure default: is a well-known placeholder; generate a random value"
      : null;

const passwords = [
  "replace-with-admin-password-32-bytes",
  "replace-with-admin-password",
  "change-me-admin-password",
  "changeme",
  "password",
  "admin",
];
const passphrases = ["secret-key", "secret_key", "trusted-server", "trusted-server-placeholder-secret"];

const publisherLeaves = (config: EdgeConfig): Leaf[] => [
  {
    key: "publisher.proxy_secret",
    name: config.publisher.proxy_secret,
    rules: [notEmpty, noPlaceholder("change-me-proxy-secret", "proxy-secret")],
    set: (value) => void (config.publisher.proxy_secret = value),
  },
  {
    key: "ec.passphrase",
    name: config.ec.passphrase,
    rules: [noPlaceholder(...passphrases), minChars(32, "short_passphrase")],
    loss: "EC id generation failure (HMAC): ",
    set: (value) => void (config.ec.passphrase = value),
  },
];

const partnerLeaves = (config: EdgeConfig): Leaf[] =>
  config.ec.partners.flatMap((partner, index) => {
    const key = `ec.partners[${index}]`;
    const token: Leaf = {
      key: `${key}.api_token`,
      name: partner.api_token,
      rules: [minBytes(32, "short_api_token"), noPlaceholder("replace-with-a-random-partner-token-32-bytes")],
      set: (value) => void (partner.api_token = value),
    };
    if (partner.ts_pull_token === undefined) return [token];
    const pull: Leaf = {
      key: `${key}.ts_pull_token`,
      name: partner.ts_pull_token,
      rules: [notEmpty],
      set: (value) => void (partner.ts_pull_token = value),
    };
    return [token, pull];
  });

const handlerLeaves = (config: EdgeConfig): Leaf[] =>
  config.handlers.map((handler, index) => ({
    key: `handlers[${index}].password`,
    name: handler.password,
    rules: [notEmpty, noPlaceholder(...passwords)],
    set: (value) => void (handler.password = value),
  }));

const trustedIpLeaves = (config: EdgeConfig): Leaf[] => {
  const table = config.trusted_client_ip;
  if (table === undefined) return [];
  return [
    {
      key: "trusted_client_ip.shared_secret",
      name: table.shared_secret,
      rules: [
        minBytes(32, "short_trusted_client_ip_shared_secret"),
        printable,
        noPlaceholder("replace-with-a-random-shared-secret"),
      ],
      set: (value) => void (table.shared_secret = value),
    },
  ];
};

const assetLeaves = (config: EdgeConfig): Leaf[] =>
  config.proxy.asset_routes.flatMap((route, index) => {
    const auth = route.auth;
    if (auth === undefined) return [];
    const fields = ["access_key_id", "secret_access_key", "session_token"] as const;
    return fields.flatMap((field) => {
      const name = auth[field];
      if (name === undefined) return [];
      const key = `proxy.asset_routes[${index}].auth.${field}`;
      return [{ key, name, rules: [notEmpty], set: (value: string) => void (auth[field] = value) }];
    });
  });

const dealLeaves = ({ deals }: EdgeConfig): Leaf[] =>
  deals === undefined
    ? []
    : [{ key: "deals.api_key", name: deals.api_key, rules: [notEmpty], set: (value) => void (deals.api_key = value) }];

const leavesOf = (config: EdgeConfig): Leaf[] => [
  ...publisherLeaves(config),
  ...partnerLeaves(config),
  ...handlerLeaves(config),
  ...trustedIpLeaves(config),
  ...assetLeaves(config),
  ...dealLeaves(config),
];

const sharedTokens = (config: EdgeConfig): StartupProblem[] => {
  const tokens = config.ec.partners.map((partner) => partner.api_token);
  return tokens.flatMap((token, index) =>
    tokens.indexOf(token) === index
      ? []
      : [{ key: `ec.partners[${index}].api_token`, message: "is the token of another partner too; give each its own" }],
  );
};

/**
 * Replaces every entry name in `config` by the entry's value. Answers what is missing or breaks its rule, naming the
 * key and the entry, never the value.
 */
export const resolveSecrets = (config: EdgeConfig, entries: ReadonlyMap<string, string>): StartupProblem[] => {
  const problems: StartupProblem[] = [];
  for (const leaf of leavesOf(config)) {
    const value = entries.get(leaf.name);
    const loss = leaf.loss ?? "";
    if (value === undefined) {
      const message = `${loss}the secret store has no entry "${leaf.name}"; add it to the secrets file`;
      problems.push({ key: leaf.key, message });
      continue;
    }
    const broken = leaf.rules.map((rule) => rule(value)).find((text) => text !== null);
    if (broken === undefined || broken === null) leaf.set(value);
    else problems.push({ key: leaf.key, message: `${loss}the secret entry "${leaf.name}" ${broken}` });
  }
  return problems.length > 0 ? problems : sharedTokens(config);
};

export const parseSecrets = (
  text: string | null,
): { entries: ReadonlyMap<string, string>; problems: StartupProblem[] } => {
  const bad = (message: string) => ({ entries: new Map<string, string>(), problems: [{ key: "--secrets", message }] });
  if (text === null) return bad("secret store not found; create the file and name it with --secrets");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return bad("the secrets file is not valid JSON; write an object of entry names and values");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
    return bad("the secrets file must be a JSON object of entry names and values");
  }
  const wrong = Object.entries(parsed).find(([, value]) => typeof value !== "string");
  if (wrong !== undefined) return bad(`the secret entry "${wrong[0]}" must be a string`);
  return { entries: new Map(Object.entries(parsed as Record<string, string>)), problems: [] };
};
