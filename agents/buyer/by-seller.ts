import type { OneSellerCalls } from "../../skills/buyer/bookings/flow/ports.ts";

/** Each call goes to the calls of its seller's kind. */
export const bySeller = (of: (sellerUrl: string) => OneSellerCalls): OneSellerCalls => ({
  products: (url, ...rest) => of(url).products(url, ...rest),
  packages: (url, ...rest) => of(url).packages(url, ...rest),
  quote: (url, ...rest) => of(url).quote(url, ...rest),
  readQuote: (url, ...rest) => of(url).readQuote(url, ...rest),
  book: (url, ...rest) => of(url).book(url, ...rest),
  readHeld: (url, ...rest) => of(url).readHeld(url, ...rest),
  findBooking: (url, ...rest) => of(url).findBooking(url, ...rest),
  bargain: (url, ...rest) => of(url).bargain(url, ...rest),
  propose: (url, ...rest) => of(url).propose(url, ...rest),
  readDeal: (url, ...rest) => of(url).readDeal(url, ...rest),
  order: (url, ...rest) => of(url).order(url, ...rest),
  cancelOrder: (url, ...rest) => of(url).cancelOrder(url, ...rest),
  readCancellation: (url, ...rest) => of(url).readCancellation(url, ...rest),
});
