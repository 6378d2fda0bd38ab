import { z } from "zod";
import { boundedExt, requestExt } from "../../config/rules.ts";
import { createDropCounter, askedOf, noBid, rawBids, readBid } from "../provider/bid-answer.ts";
import type { Bid } from "../provider/bid-answer.ts";
import { impressionExtOf, impressionOf, requestOf } from "../provider/bid-request.ts";
import { isEmpty } from "../slot.ts";
import { planRouted, type Profile } from "./profile.ts";

const settings = z
  .strictObject({
    request_ext: requestExt.default({}),
    imp_ext: boundedExt.default({}),
  })
  .prefault({});

export const standard: Profile<z.output<typeof settings>> = {
  title: "Provider",
  settings,
  marksCreatives: true,
  plan: planRouted,
  makeRequest({ facts, impressions, settings, tmaxMs }) {
    const ext = { ...settings.request_ext, ...(facts.signature === null ? {} : { trusted_server: facts.signature }) };
    const imp = impressions.map((planned) => {
      const impExt = impressionExtOf(planned, settings.imp_ext);
      return { ...impressionOf(planned), ...(isEmpty(impExt) ? {} : { ext: impExt }) };
    });
    const body = requestOf({ facts, imp, tmaxMs }, isEmpty(ext) ? {} : { ext });
    return { body, headers: { accept: "application/json" } };
  },
  parseAnswer(body, { impressions, facts }) {
    const drops = createDropCounter();
    const known = askedOf(impressions, facts.rules.rates);
    const bids: Bid[] = [];
    for (const rawBid of rawBids(body)) {
      const bid = readBid(rawBid, known, drops);
      if (bid === null) continue;
      if (bid.adm === undefined) drops.drop("missing_render_source");
      else bids.push(bid);
    }
    return bids.length === 0 ? noBid(drops.metadata()) : { status: "success", bids, metadata: drops.metadata() };
  },
};
