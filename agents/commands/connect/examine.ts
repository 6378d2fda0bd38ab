import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { LATEST_PROTOCOL_VERSION, type Tool } from "@modelcontextprotocol/sdk/types.js";

/** `cure` stands where the step failed. */
export interface DoctorStep {
  readonly name: string;
  readonly said: string;
  readonly cure?: string;
}

export interface Examined {
  readonly url: string;
  readonly key: string | null;
  readonly version: string;
  readonly timeoutMs: number;
}

const headersOf = ({ key }: Examined): Record<string, string> => (key === null ? {} : { "x-api-key": key });

const failed = (name: string, said: string, cure: string): DoctorStep => ({ name, said, cure });

const cureOfCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: "Nothing listens there. Start the agent, or correct host and port.",
  ENOTFOUND: "The host name does not exist. Correct it, or look at your DNS.",
  EAI_AGAIN: "The host name cannot be resolved now. Look at your DNS.",
  ECONNRESET: "Something between closed the connection. Look at the proxy.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "The certificate signs itself. Install one that this machine trusts.",
  CERT_HAS_EXPIRED: "The certificate has expired. Renew it.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is of another host name. Use that name, or another certificate.",
};

const unreachable = (error: unknown): DoctorStep => {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  if (name === "TimeoutError") {
    return failed("reachable", "no answer in time", "Look at firewalls, and whether the agent is stuck or overloaded.");
  }
  const code = cause?.code ?? "";
  const cure = cureOfCode[code] ?? "Open the address from this machine another way, and look at proxy and firewall.";
  return failed("reachable", code === "" ? "the connection failed" : code, cure);
};

const cureOfStatus: Readonly<Record<number, string>> = {
  401: "The key is refused. Set PARLEY_KEY to a valid one, or leave it out to look as a stranger.",
  403: "This host or origin is not allowed, or the agent is blocked. Use the agent's own address as it is configured.",
  404: "No MCP server is at this path. The agents serve it at /mcp.",
  405: "The path takes no POST. The agents serve MCP at /mcp.",
  429: "The rate limit is used up. Wait as long as Retry-After says.",
  503: "The agent or its store is not ready. Look at /readyz and the log.",
};

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "parley-doctor", version: "1" },
  },
};

const reach = async (examined: Examined): Promise<DoctorStep> => {
  try {
    const { status, headers, body } = await fetch(examined.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headersOf(examined),
      },
      body: JSON.stringify(initialize),
      signal: AbortSignal.timeout(examined.timeoutMs),
    });
    await body?.cancel();
    if (status !== 200) {
      return failed("reachable", `HTTP ${status}`, cureOfStatus[status] ?? "Look at the agent's log for this request.");
    }
    const type = headers.get("content-type") ?? "";
    const isMcp = type.startsWith("application/json") || type.startsWith("text/event-stream");
    return isMcp
      ? { name: "reachable", said: `HTTP 200, ${type}` }
      : failed(
          "reachable",
          `HTTP 200 with ${type === "" ? "no content type" : type}`,
          "This is a web page. Use the address that ends in /mcp.",
        );
  } catch (error) {
    return unreachable(error);
  }
};

/** A reading tool that needs no argument. */
const readable = (tools: readonly Tool[]): Tool | undefined =>
  tools.find(({ annotations, inputSchema }) => annotations?.readOnlyHint === true && !inputSchema.required?.length);

const words = (error: unknown): string => (error instanceof Error ? error.message.slice(0, 300) : "unknown error");

const listStep = (tools: readonly Tool[]): DoctorStep => {
  const bytes = Buffer.byteLength(JSON.stringify({ tools }));
  const said = `${tools.length} tools, ${Math.ceil(bytes / 1000)} kB`;
  return tools.length > 0
    ? { name: "list", said }
    : failed("list", said, "This key may call nothing. Take another key, or ?toolset=all.");
};

const readStep = async (client: Client, tools: readonly Tool[]): Promise<DoctorStep> => {
  const tool = readable(tools);
  if (tool === undefined) {
    return failed("read", "no reading tool without arguments is listed", "Try ?toolset=all, or a key that may read.");
  }
  const { isError, content } = await client.callTool({ name: tool.name, arguments: {} });
  const text = JSON.stringify(content);
  if (isError !== true) return { name: "read", said: `${tool.name}: ${Math.ceil(text.length / 1000)} kB` };
  return failed("read", `${tool.name}: ${text.slice(0, 300)}`, "The cure stands in the answer.");
};

const talk = async function* (examined: Examined, client: Client): AsyncGenerator<DoctorStep> {
  let name = "initialize";
  try {
    const transport = new StreamableHTTPClientTransport(new URL(examined.url), {
      requestInit: { headers: headersOf(examined) },
    });
    await client.connect(transport as Transport, { timeout: examined.timeoutMs });
    const { name: server = "a server", version = "" } = client.getServerVersion() ?? {};
    yield { name, said: `${server} ${version}: ${Object.keys(client.getServerCapabilities() ?? {}).join(", ")}` };
    name = "list";
    const { tools } = await client.listTools({}, { timeout: examined.timeoutMs });
    yield listStep(tools);
    name = "read";
    yield await readStep(client, tools);
  } catch (error) {
    yield failed(name, words(error), "Look at the agent's log for this request.");
  }
};

/** Step by step; it ends with the first that fails. */
export const examine = async function* (examined: Examined): AsyncGenerator<DoctorStep> {
  const reached = await reach(examined);
  yield reached;
  if (reached.cure !== undefined) return;
  const client = new Client({ name: "parley-doctor", version: examined.version });
  try {
    for await (const step of talk(examined, client)) {
      yield step;
      if (step.cure !== undefined) return;
    }
  } finally {
    await client.close();
  }
};
