import { logLevels } from "../log.ts";
import { cardSigningKey } from "./card-key.ts";
import type { SandboxMode } from "../../protocol/door/sandbox.ts";
import type { TokenIssuer } from "../../protocol/door/access-tokens.ts";
import { allowEntryDefect } from "../../protocol/neutral/address-guard.ts";
import {
  choiceSetting,
  flagSetting,
  httpAddressDefect,
  listSetting,
  numberSetting,
  optionalNumber,
  optionalText,
  readBy,
  type ReadSettings,
  type Setting,
  textSetting,
} from "../../protocol/neutral/settings.ts";

/** Another scheme stops the start, also with `--data`. */
const databaseUrlDefect = (text: string): string | null =>
  /^(?:lowdb:.|postgres(?:ql)?:\/\/)/.test(text)
    ? null
    : "use lowdb:DIR for the embedded store, or postgres://… for PostgreSQL.";

const hostNameDefect = (text: string): string | null =>
  URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text
    ? null
    : "use host names in small letters, without scheme and port.";

const sandboxWords: Readonly<Record<string, SandboxMode>> = {
  ...{ true: "all", yes: "all", on: "all", 1: "all" },
  ...{ false: "off", no: "off", off: "off", 0: "off" },
  calls: "calls",
};

const sandbox: Setting<SandboxMode> = {
  variable: "SANDBOX",
  form: "true, false or calls",
  shownDefault: "false",
  meaning:
    "True: the whole agent is a sandbox, and all that it makes says so. Calls: calls with X-Parley-Sandbox: true are " +
    "done in a sandbox beside the real business, with products and records of its own.",
  schema: readBy(
    (text) => sandboxWords[text.toLowerCase()] ?? null,
    (text) => `${JSON.stringify(text)} is none of true, false, calls.`,
  ),
  fallback: "off",
};

export const serverSettings = {
  sandbox,
  host: textSetting({ variable: "HOST", meaning: "Address to listen on." }, "127.0.0.1"),
  databaseUrl: optionalText(
    {
      variable: "DATABASE_URL",
      meaning:
        "lowdb:DIR for the embedded store, or postgres://… for a shared one; " +
        "--data DIR is the short form of lowdb:DIR.",
      secret: true,
    },
    databaseUrlDefect,
  ),
  storeTimeoutSeconds: numberSetting(
    { variable: "STORE_TIMEOUT_SECONDS", meaning: "How long a call waits for PostgreSQL; then it is answered 503." },
    5,
    { min: 0.1, max: 600 },
  ),
  logLevel: choiceSetting(
    {
      variable: "LOG_LEVEL",
      meaning: "Least level of log lines on stderr: info has one for every request, debug one for every call.",
    },
    "info",
    logLevels,
  ),
  bodyLimitBytes: numberSetting(
    { variable: "BODY_LIMIT_BYTES", meaning: "Largest request body, after decompression." },
    1_048_576,
    { min: 1024, max: 104_857_600, whole: true },
  ),
  bodyDepth: numberSetting({ variable: "BODY_MAX_DEPTH", meaning: "Deepest nesting of a JSON body." }, 32, {
    min: 4,
    max: 512,
    whole: true,
  }),
  rateLimitPerMinute: numberSetting(
    { variable: "RATE_LIMIT_PER_MINUTE", meaning: "Requests a minute of one principal; 0 is off." },
    6000,
    { min: 0, max: 100_000_000, whole: true },
  ),
  rateLimitAnonymousPerMinute: numberSetting(
    {
      variable: "RATE_LIMIT_ANONYMOUS_PER_MINUTE",
      meaning: "Requests a minute of one address without a key; 0 is off.",
    },
    3000,
    { min: 0, max: 100_000_000, whole: true },
  ),
  mcpMostSessions: numberSetting(
    { variable: "MCP_MAX_SESSIONS", meaning: "MCP sessions open at once; the idlest is closed for a new one." },
    1000,
    { min: 1, max: 100_000, whole: true },
  ),
  mcpIdleSeconds: numberSetting(
    { variable: "MCP_SESSION_IDLE_SECONDS", meaning: "How long an MCP session may be idle." },
    1800,
    { min: 1, max: 604_800, whole: true },
  ),
  mcpAllowedOrigins: listSetting(
    {
      variable: "MCP_ALLOWED_ORIGINS",
      meaning: "Host names of web pages that may call MCP, beside this agent's own and this machine's.",
    },
    [],
    hostNameDefect,
  ),
  mcpConfirmAbove: optionalNumber(
    {
      variable: "MCP_CONFIRM_ABOVE_VALUE",
      meaning:
        "Bookings over MCP above this total, in units, are confirmed by a person in the client, and refused where it " +
        "cannot ask one; no confirmation without it.",
    },
    { min: 0, max: 1_000_000_000_000 },
  ),
  oauthIssuer: optionalText(
    {
      variable: "OAUTH_ISSUER",
      meaning: "Issuer whose signed access tokens are taken beside API keys, on every door; none without it.",
    },
    httpAddressDefect,
  ),
  oauthJwksUrl: optionalText(
    {
      variable: "OAUTH_JWKS_URL",
      meaning: "Where the issuer's public keys are; its /.well-known/jwks.json, when left empty.",
    },
    httpAddressDefect,
  ),
  oauthAudiences: listSetting(
    {
      variable: "OAUTH_AUDIENCE",
      meaning: "Audiences of a token for this agent; its public address, with and without /mcp, when left empty.",
    },
    [],
    () => null,
  ),
  trustProxy: flagSetting(
    {
      variable: "TRUST_PROXY",
      meaning: "True: the nearest proxy's X-Forwarded-For names the caller; only behind one.",
    },
    false,
  ),
  headersTimeoutSeconds: numberSetting(
    {
      variable: "HEADERS_TIMEOUT_SECONDS",
      meaning: "How long a connection may take to send a request's head, also one that says nothing.",
    },
    10,
    { min: 1, max: 600 },
  ),
  drainSeconds: numberSetting(
    {
      variable: "DRAIN_SECONDS",
      meaning: "How long a stopping agent takes calls with /readyz at 503, until its load balancer has seen it.",
    },
    2,
    { min: 0, max: 300 },
  ),
  connectionsPerAddress: numberSetting(
    {
      variable: "CONNECTIONS_PER_ADDRESS",
      meaning: "Connections that one address may hold; 0 is off, and so it is with TRUST_PROXY.",
    },
    1000,
    { min: 0, max: 1_000_000, whole: true },
  ),
  cardDefaultVersion: choiceSetting(
    {
      variable: "A2A_CARD_DEFAULT_VERSION",
      meaning: "View of the A2A card for a request without A2A-Version; both is 0.3 with the interfaces of 1.0.",
    },
    "both",
    ["both", "0.3", "1.0"],
  ),
  cardSigningKey,
  metricsPort: optionalNumber(
    {
      variable: "METRICS_PORT",
      meaning:
        "Port that serves /metrics without a key, for a private network alone; 0 takes any free one. Without it " +
        "/metrics is on the agent's own port, for operators.",
    },
    { min: 0, max: 65_535 },
  ),
  keyRotationDays: numberSetting(
    {
      variable: "KEY_ROTATION_DAYS",
      meaning: "Age from which the log reminds once a day of an operator's key; 0 is off.",
    },
    365,
    { min: 0, max: 36_500, whole: true },
  ),
  eventStreamsPerCaller: numberSetting(
    { variable: "EVENT_STREAMS_PER_CALLER", meaning: "Event streams that one caller may hold open; 0 is off." },
    50,
    { min: 0, max: 1000, whole: true },
  ),
  console: flagSetting({ variable: "CONSOLE", meaning: "False: no console for people at /console/." }, true),
  outboundAllow: listSetting(
    {
      variable: "OUTBOUND_ALLOW",
      meaning: "Hosts, with or without a port, that outbound requests may reach although they are not public.",
    },
    [],
    allowEntryDefect,
  ),
  agentRegistryUrl: optionalText(
    { variable: "AGENT_REGISTRY_URL", meaning: "Primary agent registry; nothing is asked without it." },
    httpAddressDefect,
  ),
} as const;

export const addressList = (variable: string, meaning: string): ReturnType<typeof listSetting> =>
  listSetting({ variable, meaning }, [], httpAddressDefect);

type Settings = ReadSettings<typeof serverSettings>;

export type RateLimits = Pick<Settings, "rateLimitPerMinute" | "rateLimitAnonymousPerMinute">;

/** Without what a command reads to open the store, and an agent to put itself together. */
export type ServerConfig = Omit<
  Settings,
  | keyof RateLimits
  | "host"
  | "databaseUrl"
  | "storeTimeoutSeconds"
  | "logLevel"
  | "drainSeconds"
  | "console"
  | "outboundAllow"
  | "agentRegistryUrl"
>;

export type OauthConfig = Pick<Settings, "oauthIssuer" | "oauthJwksUrl" | "oauthAudiences">;

/** The answer is null where API keys alone are taken. */
export const tokenIssuerOf = (config: OauthConfig, publicUrl: string): TokenIssuer | null => {
  const { oauthIssuer: issuer, oauthJwksUrl, oauthAudiences } = config;
  if (issuer === null || issuer === "") return null;
  return {
    issuer,
    jwksUrl: oauthJwksUrl || `${issuer.replace(/\/+$/, "")}/.well-known/jwks.json`,
    audiences: oauthAudiences.length > 0 ? oauthAudiences : [publicUrl, `${publicUrl}/mcp`],
  };
};
