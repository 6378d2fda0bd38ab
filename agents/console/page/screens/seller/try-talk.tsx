import { type Signal, signal } from "@preact/signals";
import { oneOf, screenOf, useAddress } from "../../address.ts";
import { type Reply, request } from "../../agent/api.ts";
import { canWrite } from "../../agent/session.ts";
import { type SaidBack, type Say, sayWith } from "../../agent/talk.ts";
import { Chip } from "../../parts/bits.tsx";
import { Choices } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { wordOf } from "../../words.ts";
import { type Exchange, TalkRoom } from "../talk-room.tsx";

const triedTiers = ["public", "seat", "agency", "advertiser"] as const;

type Tier = (typeof triedTiers)[number];

/** The call is answered by the sandbox beside the agent, or refused: nothing of it is business. */
const inSandbox = { "X-Parley-Sandbox": "true" } as const;

const tryingId = "try-out";

/** What makes a buyer of a tier. */
const identities: Readonly<Record<Exclude<Tier, "public">, object>> = {
  seat: { seat_id: tryingId },
  agency: { agency_id: tryingId },
  advertiser: { agency_id: tryingId, advertiser_id: tryingId },
};

/** Of this page alone; a key of the sandbox opens nothing else, and ends after a day. */
const buyerKeys = new Map<Tier, string>();

const talks = Object.fromEntries(triedTiers.map((tier) => [tier, signal<readonly Exchange[]>([])])) as Record<
  Tier,
  Signal<readonly Exchange[]>
>;

const failed = (message: string): Reply<never> => ({
  ok: false,
  kind: "refused",
  status: 200,
  code: "sandbox_refused",
  message,
  requestId: null,
});

/** An agent that is older does not know the header, and would take the talk for business. */
const sandboxed = async (): Promise<Reply<unknown>> => {
  const reply = await request("/api/v1/caller", { method: "GET", headers: inSandbox });
  const isSandbox = reply.ok && (reply.output as { readonly sandbox?: boolean }).sandbox === true;
  return !reply.ok || isSandbox
    ? reply
    : failed("This agent has no sandbox to try it in. Whoever runs it starts it with SANDBOX=calls.");
};

const keyOf = async (tier: Exclude<Tier, "public">): Promise<Reply<string>> => {
  const known = buyerKeys.get(tier);
  if (known !== undefined) return { ok: true, output: known };
  const reply = await request("/auth/api-keys", {
    method: "POST",
    headers: { "Content-Type": "application/json", ...inSandbox },
    body: JSON.stringify({ ...identities[tier], label: `Tried in the console as ${tier}`, expires_in_days: 1 }),
  });
  if (!reply.ok) return reply;
  const { api_key: key } = reply.output as { readonly api_key: string };
  buyerKeys.set(tier, key);
  return { ok: true, output: key };
};

/** Where the session would count, the caller were the operator: a public buyer sends a key of nobody. */
const headersAs = async (tier: Tier): Promise<Reply<Readonly<Record<string, string>>>> => {
  const checked = await sandboxed();
  if (!checked.ok) return checked;
  if (tier === "public") return { ok: true, output: { ...inSandbox, "X-Parley-Console": "0" } };
  const key = await keyOf(tier);
  return key.ok ? { ok: true, output: { ...inSandbox, "X-API-Key": key.output } } : key;
};

const sayAs =
  (tier: Tier): Say =>
  async (...message): Promise<Reply<SaidBack>> => {
    const headers = await headersAs(tier);
    if (!headers.ok) return headers;
    const reply = await sayWith(headers.output, ...message);
    // The sandbox has forgotten the key: the next message asks for another.
    if (!reply.ok && reply.status === 401) buyerKeys.delete(tier);
    return reply;
  };

/** One's own seller, talked with as a buyer would. */
export const TryTalk = () => {
  const { query, linkTo } = useAddress();
  const tier = oneOf(triedTiers, query["tier"]) ?? "agency";
  const isBegun = talks[tier].value.length > 0;
  return (
    <Page
      title="Try your seller"
      back={{ href: screenOf("talks"), label: "All talks" }}
      chips={<Chip tone="warn">Sandbox</Chip>}
      note={
        "Talk with it as a buyer of a tier would. The sandbox has products, inventory and deals of its own: " +
        "nothing here is sold, held or counted."
      }
    >
      <div class="row">
        <Choices
          label="As a buyer of this tier"
          choices={triedTiers.map((value) => ({ value, label: wordOf({}, value) }))}
          chosen={tier}
          linkTo={(value) => linkTo({ tier: value })}
        />
        {isBegun && canWrite() ? (
          <button type="button" class="button small" onClick={() => (talks[tier].value = [])}>
            Begin anew
          </button>
        ) : null}
      </div>
      <TalkRoom
        key={tier}
        talked={talks[tier]}
        say={sayAs(tier)}
        them="Your seller"
        example="What would 2 million impressions of CTV cost in March 2027?"
      />
    </Page>
  );
};
