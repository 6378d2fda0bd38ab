import { createDropCounter, askedOf, noBid, openAnswer, rawBids, readBid } from "../provider/bid-answer.ts";
import type { Bid } from "../provider/bid-answer.ts";
import { impressionExtOf, impressionOf, requestOf } from "../provider/bid-request.ts";
import { isEmpty } from "../slot.ts";
import type { Profile } from "./profile.ts";

export const standard: Profile<"standard"> = {
  makeRequest({ facts, impressions, settings, tmaxMs }) {
    const ext = { ...settings.request_ext, ...(facts.signature === null ? {} : { trusted_server: facts.signature }) };
    const imp = impressions.map((planned) => {
      const impExt = impressionExtOf(planned, settings.imp_ext);
      return { ...impressionOf(planned), ...(isEmpty(impExt) ? {} : { ext: impExt }) };
    });
    const body = requestOf({ facts, imp, tmaxMs }, isEmpty(ext) ? {} : { ext });
    return { body, headers: { accept: "application/json" } };
  },
  parseAnswer(raw, { impressions, facts }) {
    const opened = openAnswer(raw, "Provider", facts.rules.rates);
    if (!opened.ok) return opened.answer;
    const drops = createDropCounter();
    const known = askedOf(impressions, facts.rules.rates);
    const bids: Bid[] = [];
    for (const rawBid of rawBids(opened.body)) {
      const bid = readBid(rawBid, known, drops);
      if (bid === null) continue;
      if (bid.adm === undefined) drops.drop("missing_render_source");
      else bids.push(bid);
    }
    return bids.length === 0 ? noBid(drops.metadata()) : { status: "success", bids, metadata: drops.metadata() };
  },
};
