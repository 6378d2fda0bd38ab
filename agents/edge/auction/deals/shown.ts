import type { EdgeContext, EdgeHandler } from "../../context.ts";
import { refuse } from "../../http/refusals.ts";
import { toHex } from "../../identity/hex.ts";
import type { EdgeRequest } from "../../platform.ts";
import { sameSecret } from "../../request/client.ts";
import { isUnseen } from "../unseen.ts";
import type { Deal } from "./deal.ts";

const lifetimeS = 3_600;
const idBytes = 16;
const path = "/first-party/shown";

/** One transparent pixel (GIF89a). */
const pixelBytes = Uint8Array.from(
  atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  (char) => char.codePointAt(0) ?? 0,
);

/** No address has this form, so that no token of one is a token of the other. */
const clearOf = (dealId: string, id: string, expiresAtS: string): string =>
  `shown ${JSON.stringify([dealId, id, expiresAtS])}`;

/** The address by which a page says that it shows a deal's creative: of one impression, for an hour. */
export const shownAddress = (
  { id: dealId, impressionId }: Pick<Deal, "id" | "impressionId">,
  { env, tokens, url }: EdgeContext,
): string => {
  const id = impressionId ?? toHex(env.random(idBytes));
  const expiresAtS = String(Math.floor(env.now() / 1_000) + lifetimeS);
  const query = new URLSearchParams({
    deal: dealId,
    id,
    exp: expiresAtS,
    token: tokens.once(clearOf(dealId, id, expiresAtS)),
  });
  return `${url.origin}${path}?${query.toString()}`;
};

const pixel = (): Response =>
  new Response(pixelBytes, { headers: { "content-type": "image/gif", "cache-control": "no-store, private" } });

const count = async (request: EdgeRequest, { env, url, metrics }: EdgeContext): Promise<Response> => {
  const { dealDesk: desk } = env;
  const [dealId = "", id = "", expiresAtS = ""] = ["deal", "id", "exp"].map((name) => url.searchParams.get(name) ?? "");
  if (desk === undefined || isUnseen(request.headers)) return pixel();
  const expiresAtMs = Number(expiresAtS) * 1_000;
  try {
    const isNew = await desk.shown({ id, dealId, expiresAtMs });
    metrics.add("edge_deal_impressions_total", { outcome: isNew ? "counted" : "repeated" });
    return pixel();
  } catch (error) {
    env.log({ level: "error", event: "deal_impression", deal_id: dealId, cause: String(error) });
    metrics.add("edge_deal_impressions_total", { outcome: "failed" });
    return refuse("store_unavailable");
  }
};

/** `GET /first-party/shown`: counts an impression of a deal once, however often its address is fetched. */
export const handleShown: EdgeHandler = async (request, context) => {
  const { searchParams: query } = context.url;
  const [dealId, id, expiresAtS] = [query.get("deal"), query.get("id"), query.get("exp")];
  if (dealId === null || id === null || expiresAtS === null) return refuse("bad_request", "deal, id or exp is missing");
  const token = context.tokens.once(clearOf(dealId, id, expiresAtS));
  if (!sameSecret(query.get("token") ?? "", token)) return refuse("forbidden");
  if (Number(expiresAtS) * 1_000 < context.env.now()) return refuse("forbidden");
  return count(request, context);
};
