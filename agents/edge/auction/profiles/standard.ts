import { createDropCounter, askedOf, noBid, openAnswer, rawBids, readBid } from "../provider/bid-answer.ts";
import type { Bid } from "../provider/bid-answer.ts";
import {
  currenciesOf,
  deviceOf,
  impressionExtOf,
  impressionOf,
  present,
  regsOf,
  rulesOf,
  siteOf,
  userOf,
} from "../provider/bid-request.ts";
import { isEmpty } from "../slot.ts";
import type { Profile } from "./profile.ts";

export const standard: Profile<"standard"> = {
  makeRequest({ facts, impressions, settings, tmaxMs }) {
    const ext = { ...settings.request_ext, ...(facts.signature === null ? {} : { trusted_server: facts.signature }) };
    const body = present({
      id: facts.id,
      imp: impressions.map((planned) => {
        const impExt = impressionExtOf(planned, settings.imp_ext);
        return { ...impressionOf(planned), ...(isEmpty(impExt) ? {} : { ext: impExt }) };
      }),
      ...rulesOf(facts),
      site: siteOf(facts),
      user: userOf(facts),
      device: deviceOf(facts),
      regs: regsOf(facts.consent),
      tmax: tmaxMs,
      cur: currenciesOf(facts),
      ext: isEmpty(ext) ? undefined : ext,
    });
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
