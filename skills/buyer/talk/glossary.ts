/** What stands in answers without an explanation. */
const terms: readonly (readonly [RegExp, string])[] = [
  [/pd|preferred deals?/, "PD is a preferred deal: a fixed price per thousand, without a guaranteed volume."],
  [
    /pg|(?:programmatic )?guaranteed(?: deals?)?/,
    "PG is a programmatic guaranteed deal: price and volume are both fixed.",
  ],
  [/pa|private auctions?/, "PA is a private auction: the price is a least bid, and others bid too."],
  [/cpm|tkp/, "CPM is the price per thousand impressions, here in USD."],
  [/impressions?/, "An impression is one showing of an ad; prices are per thousand of them."],
  [/ros|run of site/, "ROS is run of site: the ad may stand anywhere on the seller's sites."],
  [/ctv|connected tv/, "CTV is connected TV: video ads in streaming on a television set."],
  [/dooh/, "DOOH is digital out-of-home: screens in public places."],
  [/display|banners?/, "Display is banners: pictures beside what people read."],
  [/video|pre-?rolls?/, "Video is video ads, mostly before or within other videos."],
  [/native/, "Native ads look like the articles that they stand between."],
  [/audio/, "Audio is ads in streams and podcasts, to be heard."],
  [/mobile[_ ]apps?/, "Mobile app is ads inside of apps on phones."],
  [/linear[_ ]tv/, "Linear TV is spots in the usual broadcast programme."],
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

const opening = "^(?:(?:hi|hey|hello|sorry|ok|okay|and|but|so|btw|yes|no|wait|hm+|please|pls|one question)[\\s,.]+)*";
const closing =
  "(?:\\s+(?:mean|means|stand for|meaning|here|exactly|please|(?:in|on) (?:the|this|that|my|your) [\\w-]+))*" +
  "\\s*[?.!]*$";
const asking = new RegExp(
  `${opening}(?:(?:(?:can|could|would) you )?(?:please )?(?:tell me |explain(?: to)?(?: me)?,? (?:please,? )?)?` +
    "(?:(?:i |we )?(?:(?:do |did )?not|don't|didn't) (?:understand|know|get) )?" +
    "(?:what(?:'s)?(?: is| does| do| are| means?)?(?: (?:the )?(?:difference between|meaning of))?|meaning of|" +
    "difference between|was bedeutet|que significa)|explain(?: to)?(?: me)?|define)\\s+(?:an? )?" +
    `["']?([\\w /,&"'“”-]{2,90}?)["']?${closing}`,
  "i",
);
/** "Is an impression one person?" and "PG?" */
const doubting = new RegExp(
  `${opening}(?:is|are|does|do) (?:an? |the )?["']?(\\w+)["']? (?:an?|one|the same|mean|always)\\b`,
  "i",
);
const shortName =
  "(?:cpm|tkp|pd|pg|pa|ros|dooh|impressions?|guaranteed(?: deals?)?|preferred deals?|private auctions?)";
const bare = new RegExp(
  `${opening}["']?(${shortName}["']?(?:(?:,|\\s)*(?:and|or)?(?:,|\\s)*["']?${shortName}["']?)*)\\s*\\?+$`,
  "i",
);

/** None for a word that has no explanation. */
export const wordsOf = (word: string): readonly string[] => {
  const found = terms.find(([name]) => new RegExp(`^(?:an? )?(?:${name.source})$`, "i").test(word));
  return found === undefined ? [] : [found[1]];
};

export const explained = (text: string): string | null => {
  const said = text.trim();
  const asked = [asking, doubting, bare]
    .map((form) => form.exec(said)?.[1]?.toLowerCase())
    .find((one) => one !== undefined);
  if (asked === undefined || /^(?:the )?(?:price|total|status)$/.test(asked)) return null;
  const words = asked
    .replace(/["'“”]/g, "")
    .split(/\s*(?:,|&|\b(?:and|or)\b)\s*/)
    .map((word) =>
      word
        .replace(/^(?:is|are|what is|what are) /, "")
        .replace(/(?:^| )\d[\d.]*$/, "")
        .trim(),
    )
    .filter((word) => word !== "");
  const found = words.map(wordsOf);
  return found.length === 0 || found.some((one) => one.length === 0) ? null : [...new Set(found.flat())].join("\n");
};
