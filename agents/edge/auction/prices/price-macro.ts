const macro = /(?:\$\{|%24%7B)AUCTION_PRICE((?::|%3A)B64)?(?:\}|%7D)/gi;

/**
 * Writes the price where a bidder left its macro (OpenRTB 2.6, section 4.4), plain or in base64, also where an address
 * carries it percent-encoded. Before rewriting: behind a signed address nobody can write it any more.
 */
export const expandPrice = (text: string, price: number): string =>
  text.includes("AUCTION_PRICE")
    ? text.replace(macro, (_, isBase64: string | undefined) =>
        isBase64 === undefined ? String(price) : encodeURIComponent(btoa(String(price))),
      )
    : text;
