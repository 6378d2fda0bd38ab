const longest = 8_192;

/**
 * The page that bidders are told: the referrer when it is one of the publisher's own, without query and fragment, which
 * may hold anything; else the publisher's front page.
 */
export const pageOf = (referer: string | null, publisherDomain: string): string => {
  const fallback = `https://${publisherDomain}`;
  if (referer === null || referer.length > longest || !URL.canParse(referer)) return fallback;
  const url = new URL(referer);
  const isOurs = url.hostname === publisherDomain || url.hostname.endsWith(`.${publisherDomain}`);
  if (!isOurs || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return fallback;
  url.search = "";
  url.hash = "";
  return url.href;
};
