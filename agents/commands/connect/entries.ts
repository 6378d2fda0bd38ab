/** What an assistant needs to know of an agent; `keyVariable` names the environment variable, never the key. */
export interface Connection {
  readonly name: string;
  readonly agent: string;
  readonly url: string;
  readonly keyVariable: string;
  readonly version: string;
}

export interface ConnectEntry {
  readonly assistant: string;
  /** Where the text belongs. */
  readonly where: string;
  readonly text: (connection: Connection) => string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const servers = (member: string, name: string, entry: unknown): string => json({ [member]: { [name]: entry } });

export const connectEntries: readonly ConnectEntry[] = [
  {
    assistant: "claude-code",
    where: ".mcp.json of the project",
    text: ({ name, url, keyVariable }) =>
      servers("mcpServers", name, { type: "http", url, headers: { "X-Api-Key": `\${${keyVariable}}` } }),
  },
  {
    assistant: "claude-desktop",
    where: "claude_desktop_config.json (Settings, Developer); on the agent's own machine",
    text: ({ name, agent }) =>
      servers("mcpServers", name, {
        command: "node",
        args: ["/path/to/parley/dist/agents/main.js", "mcp", "--agent", agent, "--data", `/path/to/data/${agent}`],
      }),
  },
  {
    assistant: "chatgpt",
    where: "Settings, Connectors, Create (needs a public https address and an OAuth issuer, or no authentication)",
    text: ({ url }) => url,
  },
  {
    assistant: "cursor",
    where: "~/.cursor/mcp.json, or .cursor/mcp.json of the project",
    text: ({ name, url, keyVariable }) =>
      servers("mcpServers", name, { url, headers: { "X-Api-Key": `\${env:${keyVariable}}` } }),
  },
  {
    assistant: "vscode",
    where: ".vscode/mcp.json of the workspace",
    text: ({ name, url }) =>
      json({
        inputs: [{ type: "promptString", id: "parley-key", description: "API key of the agent", password: true }],
        servers: { [name]: { type: "http", url, headers: { "X-Api-Key": "${input:parley-key}" } } },
      }),
  },
  {
    assistant: "gemini-cli",
    where: "~/.gemini/settings.json",
    text: ({ name, url, keyVariable }) =>
      servers("mcpServers", name, { httpUrl: url, headers: { "X-Api-Key": `$${keyVariable}` } }),
  },
  {
    assistant: "codex",
    where: "~/.codex/config.toml",
    text: ({ name, url, keyVariable }) =>
      `[mcp_servers.${name}]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = ${JSON.stringify(keyVariable)}`,
  },
  {
    assistant: "windsurf",
    where: "~/.codeium/windsurf/mcp_config.json",
    text: ({ name, url, keyVariable }) =>
      servers("mcpServers", name, { serverUrl: url, headers: { "X-Api-Key": `\${env:${keyVariable}}` } }),
  },
  {
    assistant: "registry",
    where: "server.json for the MCP registry; change the name to your own domain",
    text: ({ name, agent, url, version }) =>
      json({
        $schema: "https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json",
        name: `com.example/${name}`,
        description: agent === "seller" ? "Sells advertising: quotes, deals, orders." : "Buys advertising campaigns.",
        version,
        remotes: [
          {
            type: "streamable-http",
            url,
            headers: [{ name: "X-Api-Key", description: "API key of the agent", isRequired: false, isSecret: true }],
          },
        ],
      }),
  },
];
