import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * A small consent platform with the interface of real ones (IAB TCF v2, `__tcfapi`). The string grants all purposes or
 * none, and names no vendor.
 */
const consentPlatform = `
      const field = (value, bits) => value.toString(2).padStart(bits, "0");
      const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
      const consentString = (isGranted) => {
        const today = field(Math.floor(Date.now() / 86_400_000) * 864_000, 36);
        const platform = field(300, 12) + field(1, 12) + field(1, 6) + field(4, 6) + field(13, 6);
        const policy = field(1, 12) + field(5, 6) + "10" + field(0, 12);
        const purposes = (isGranted ? "1" : "0").repeat(10) + field(0, 14) + field(0, 24);
        const bits = field(2, 6) + today + today + platform + policy + purposes + field(0, 61);
        return bits.padEnd(Math.ceil(bits.length / 6) * 6, "0").replace(/.{6}/g, (six) => letters[parseInt(six, 2)]);
      };
      const listeners = [];
      const tell = (listener, eventStatus) =>
        listener({ eventStatus, tcString: localStorage.getItem("consent") ?? "" }, true);
      window.__tcfapi = (command, version, listener) => {
        if (command !== "addEventListener") return;
        listeners.push(listener);
        tell(listener, localStorage.getItem("consent") === null ? "cmpuishown" : "tcloaded");
      };
      const choose = (isGranted) => {
        localStorage.setItem("consent", consentString(isGranted));
        for (const listener of listeners) tell(listener, "useractioncomplete");
        location.reload();
      };`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <title>The Sample Times</title>
    <style>
      body { max-width: 40rem; margin: 2rem auto; font: 1rem/1.5 sans-serif }
      #top { min-height: 250px }
      #top:empty::before { content: "No ad was sold for this page." }
    </style>
    <script>${consentPlatform}
    </script>
  </head>
  <body>
    <h1>The Sample Times</h1>
    <p>
      A publisher's page, served through the edge. While the page was fetched, two bidders were asked for the ad below.
    </p>
    <div id="top"></div>
    <p>
      Your address counts as one in Canada, where the auction needs no choice of yours. It goes by what you choose, from
      the next page on:
      <button type="button" onclick="choose(true)">Agree to ads</button>
      <button type="button" onclick="choose(false)">Refuse ads</button>
    </p>
  </body>
</html>
`;

const prices: Readonly<Record<string, number>> = { alpha: 2.75, beta: 3.1 };

const creativeOf = (seat: string, dealId: string | undefined): string =>
  '<div style="width:280px;height:230px;padding:10px;background:#1c3d5a;color:#fff;font:1rem sans-serif">' +
  `<p>An advertisement by ${dealId === undefined ? seat : `the buyer of deal ${dealId}`}</p>` +
  `<a style="color:#fff" href="https://${seat}.example/offer?from=sample">See it</a></div>`;

interface OfferedDeal {
  readonly id: string;
  readonly bidfloor: number;
  readonly wseat?: readonly string[];
}

interface BidRequest {
  readonly id?: string;
  readonly imp?: readonly { readonly id: string; readonly pmp?: { readonly deals?: readonly OfferedDeal[] } }[];
}

/** An OpenRTB 2.6 bidder: the first deal that is offered, at its price, else the same price on every impression. */
const bid = (bidder: string, request: BidRequest): unknown => ({
  id: request.id ?? "",
  cur: "USD",
  seatbid: (request.imp ?? []).map(({ id, pmp }) => {
    const deal = pmp?.deals?.[0];
    const seat = deal?.wseat?.[0] ?? bidder;
    const terms = deal === undefined ? { price: prices[bidder] ?? 0 } : { price: deal.bidfloor, dealid: deal.id };
    const creative = { adm: creativeOf(bidder, deal?.id), crid: `${bidder}-creative`, w: 300, h: 250 };
    return { seat, bid: [{ id: `${bidder}-${id}`, impid: id, ...terms, ...creative }] };
  }),
});

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
};

export const answerSample = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const seat = /^\/bidders\/(alpha|beta)$/.exec(request.url ?? "")?.[1];
  if (seat === undefined) {
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);
    return;
  }
  const asked = JSON.parse(await bodyOf(request)) as BidRequest;
  response.setHeader("content-type", "application/json").end(JSON.stringify(bid(seat, asked)));
};
