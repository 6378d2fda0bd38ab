import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ElicitRequestSchema, type ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import type { Members } from "../conformance/wire.ts";
import { type Started, startBuyer, startSeller } from "../spec/launched.ts";
import { sampleBrief, until } from "./world.ts";

const assistantOf = async (agent: Started, answer: ((message: string) => ElicitResult) | null): Promise<Client> => {
  const { api_key: key } = await agent.host("create_operator_key", {
    label: answer === null ? "alone" : "with a person",
  });
  const capabilities = answer === null ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: "assistant", version: "1" }, { capabilities });
  if (answer !== null) client.setRequestHandler(ElicitRequestSchema, async ({ params }) => answer(params.message));
  const requestInit = { headers: { "x-api-key": String(key) } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", agent.url), { requestInit }) as Transport);
  onTestFinished(() => client.close());
  return client;
};

const use = async (client: Client, name: string, args: Record<string, unknown>): Promise<Members> => {
  const { content } = await client.callTool({ name, arguments: args });
  return JSON.parse((content as [{ text: string }])[0].text) as Members;
};

const brief = { ...sampleBrief, budget: 5_000, channels: ["branding"], flights: null };

test("MCP_CONFIRM_ABOVE_VALUE: what an assistant books as a buyer is confirmed by a person above it, as a seller's booking", async () => {
  const seller = await startSeller();
  onTestFinished(() => seller.close());
  const buyer = await startBuyer({ MCP_CONFIRM_ABOVE_VALUE: "1000", SELLER_ENDPOINTS: seller.url });
  onTestFinished(() => buyer.close());
  const asked: string[] = [];
  let isConfirmed = false;
  const person = await assistantOf(buyer, (message) => {
    asked.push(message);
    return { action: "accept", content: { confirm: isConfirmed } };
  });
  const alone = await assistantOf(buyer, null);

  const automatic = { brief, auto_approve: true };
  expect(await use(alone, "create_booking", automatic)).toMatchObject({
    error: "confirmation_required",
    total_cost: 5_000,
  });
  expect(await use(person, "create_booking", automatic)).toMatchObject({ error: "not_confirmed" });
  expect(asked).toEqual(["Book at the sellers for up to 5000 USD?"]);
  expect((await buyer.host("list_bookings", {}))["total"]).toBe(0);

  const { job_id } = await use(alone, "create_booking", { brief });
  const job = await until(async () => {
    const found = await buyer.host("get_booking", { job_id });
    return found["status"] === "awaiting_approval" ? found : null;
  });
  const { recommended } = job["totals"] as { recommended: number };
  expect(await use(alone, "approve_all_bookings", { job_id })).toMatchObject({ error: "confirmation_required" });
  expect(await use(person, "approve_all_bookings", { job_id })).toMatchObject({ error: "not_confirmed" });
  expect((await buyer.host("get_booking", { job_id }))["status"]).toBe("awaiting_approval");
  isConfirmed = true;
  const ids = (job["recommendations"] as { recommendation_id: string }[]).map((line) => line.recommendation_id);
  const approved = await use(person, "approve_booking", { job_id, recommendation_ids: ids });
  expect(approved).toMatchObject({ status: "success", booked: ids.length, total_cost: recommended });
  const question = `Book at the sellers for up to ${recommended} USD?`;
  expect(asked.slice(1)).toEqual([question, question]);
});
