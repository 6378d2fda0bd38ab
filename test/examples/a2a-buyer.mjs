// A buyer agent without a language model: it talks A2A and buys by options, never by an answer in words.
//   PARLEY_KEY=ask_live_… node test/examples/a2a-buyer.mjs "CTV Premium Streaming" 500000 2027-03-01 2027-03-31 40
import { randomUUID } from "node:crypto";

const { SELLER = "http://127.0.0.1:8000", PARLEY_KEY } = process.env;
const [product, impressions, from, to, mostCpm] = process.argv.slice(2);

const card = await (await fetch(new URL("/.well-known/agent-card.json", SELLER))).json();
const contextId = randomUUID();

/** The seller's answer in the short form: text for people, data for programs. */
const say = async (part) => {
  const message = { messageId: randomUUID(), role: "user", contextId, parts: [part] };
  const answer = await fetch(card.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(PARLEY_KEY ? { "X-Api-Key": PARLEY_KEY } : {}) },
    body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method: "message/send", params: { message } }),
  });
  const { result, error } = await answer.json();
  if (error) throw new Error(`${error.message} (${error.data?.help ?? error.code})`);
  const text = result.parts.find(({ kind }) => kind === "text")?.text ?? "";
  console.log(`seller: ${text}`);
  return result.parts.find(({ kind }) => kind === "data")?.data ?? {};
};

const quoted = await say({ kind: "text", text: `quote ${product}, ${impressions} impressions, ${from} to ${to}` });
const offer = quoted.options?.find(({ operation }) => operation === "book_deal");
const cpm = quoted.result?.pricing?.final_cpm;
if (!offer || cpm === undefined) {
  console.error("The seller showed nothing to book.");
  process.exitCode = 1;
} else if (cpm > Number(mostCpm)) {
  console.log(`Not booked: ${cpm} is above ${mostCpm}.`);
} else {
  // Exactly these terms: the seller refuses the digest of any others.
  const booked = await say({ kind: "data", data: { option: offer.option, digest: offer.digest } });
  console.log(`deal: ${booked.result?.deal_id}`);
}
