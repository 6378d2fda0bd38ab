// A buyer that is a language model: any endpoint of the OpenAI form chooses the seller's MCP tools, a person confirms.
//   LLM_BASE_URL=http://127.0.0.1:11434/v1 LLM_MODEL=qwen3:8b PARLEY_KEY=ask_live_… \
//     node test/examples/llm-buyer.mjs "A million CTV impressions in March 2027, please"
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { LLM_BASE_URL, LLM_MODEL, LLM_API_KEY = "", PARLEY_KEY, SELLER = "http://127.0.0.1:8000" } = process.env;
const requestInit = { headers: PARLEY_KEY ? { "X-Api-Key": PARLEY_KEY } : {} };
const seller = new Client({ name: "llm-buyer", version: "1.0.0" });
await seller.connect(new StreamableHTTPClientTransport(new URL("/mcp", SELLER), { requestInit }));
const { tools } = await seller.listTools();

const asked = async (messages) => {
  const answer = await fetch(`${LLM_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${LLM_API_KEY}` },
    body: JSON.stringify({
      model: LLM_MODEL,
      messages,
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema },
      })),
    }),
  });
  if (!answer.ok) throw new Error(`the model answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()).choices[0].message;
};

const person = createInterface({ input: stdin, output: stdout });
const agrees = async (name, input) => {
  const isReading = tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint === true;
  return isReading || /^y/i.test(await person.question(`${name} ${JSON.stringify(input)}? [y/N] `));
};

/** The same call id is the same intent: a repeated call does nothing twice. */
const use = async ({ id, function: { name, arguments: text } }) => {
  const input = JSON.parse(text || "{}");
  if (!(await agrees(name, input))) return "The person said no.";
  const takesKey = tools.find((tool) => tool.name === name)?.inputSchema.properties?.idempotency_key !== undefined;
  const { content } = await seller.callTool({ name, arguments: takesKey ? { ...input, idempotency_key: id } : input });
  return content.map((part) => part.text ?? "").join("\n");
};

const messages = [
  { role: "system", content: "You buy advertising with the tools of one seller. Say prices as the tools give them." },
  { role: "user", content: process.argv[2] ?? "What is on sale?" },
];
let message = await asked(messages);
for (let turn = 0; message.tool_calls?.length && turn < 12; turn += 1) {
  messages.push(message);
  for (const call of message.tool_calls) {
    messages.push({ role: "tool", tool_call_id: call.id, content: await use(call) });
  }
  message = await asked(messages);
}
console.log(message.content);
person.close();
await seller.close();
