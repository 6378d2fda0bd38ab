/** What stands in answers without an explanation. */
const terms: readonly (readonly [RegExp, string])[] = [
  [/pd|preferred deals?/, "PD is a preferred deal: a fixed price per thousand, without a guaranteed volume."],
  [/pg|guaranteed deals?/, "PG is a programmatic guaranteed deal: price and volume are both fixed."],
  [/pa|private auctions?/, "PA is a private auction: the price is a least bid, and others bid too."],
  [/cpm|tkp/, "CPM is the price per thousand impressions, here in USD."],
  [/impressions?/, "An impression is one showing of an ad; prices are per thousand of them."],
  [/ros|run of site/, "ROS is run of site: the ad may stand anywhere on the seller's sites."],
  [/ctv|connected tv/, "CTV is connected TV: video ads in streaming on a television set."],
  [/dooh/, "DOOH is digital out-of-home: screens in public places."],
  [/branding/, "The branding channel is display, video, native, audio and screens, bought to become known."],
  [/performance/, "The performance channel is what is bought for sales, leads and visits."],
  [
    /(?:price )?tiers?(?: agency)?|agency tier|agency|seat|advertiser tier/,
    "The tier is how a seller prices you: public, seat, agency or advertiser; each next one is cheaper.",
  ],
  [/fees?|effective cpm|with fees/, "Fees are what middlemen and technology take beside a seller's price."],
  [/deal ids?/, "A deal ID is what you enter in your buying platform, so that it buys what was booked."],
  [/(?:target )?cpm target|target cpm/, "The target CPM is the price that I ask sellers for."],
  [/max(?:imum)? cpm/, "The max CPM is the price that I never pass."],
  [/jobs?|campaign jobs?/, "A job is the work on one campaign: search, your approval, booking."],
  [/flight/, "A flight is the days from the first to the last on which the ads run."],
  [/activation/, "Activation is the seller's switching on of a deal, so that it can be bought."],
];

const asking = new RegExp(
  "^(?:(?:hi|hey|sorry|ok|okay|and|but|so|btw)[\\s,]+)*" +
    "(?:(?:i |we )?(?:(?:do |did )?not|don't|didn't) (?:understand|know|get) )?" +
    "(?:what(?:'s| is| does| do| are| means?)|" +
    "meaning of|explain|define|was bedeutet|" +
    "que significa)\\s+(?:an? )?[\"']?([\\w /,&\"'“”]{2,90}?)[\"']?(?:\\s+(?:mean|means|stand for|" +
    "meaning|here|exactly))*\\s*[?.!]*$",
  "i",
);

export const explained = (text: string): string | null => {
  const asked = asking.exec(text.trim())?.[1]?.toLowerCase();
  if (asked === undefined || /^(?:the )?(?:price|total|status)$/.test(asked)) return null;
  const words = asked
    .replace(/["'“”]/g, "")
    .split(/\s*(?:,|&|\b(?:and|or)\b)\s*/)
    .filter((word) => word !== "");
  const found = words.map(
    (word) => terms.find(([name]) => new RegExp(`^(?:an? )?(?:${name.source})$`).test(word))?.[1],
  );
  return found.includes(undefined) ? null : [...new Set(found)].join("\n");
};
