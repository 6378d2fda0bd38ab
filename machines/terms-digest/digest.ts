/** The terms of a quote, proposal, deal or order that must not drift (decisions 42 and 63). Price in micros. */
export interface DigestTerms {
  readonly productId: string;
  readonly priceMicros: number;
  readonly impressions: number | null;
  readonly flightStart: string;
  readonly flightEnd: string;
  readonly dealType: string;
  readonly currency: string;
}

/** The canonical JSON text of terms: keys sorted, no blanks, UTF-8 when hashed (decision 63). */
export const termsText = (terms: DigestTerms): string =>
  JSON.stringify({
    currency: terms.currency,
    deal_type: terms.dealType,
    flight_end: terms.flightEnd,
    flight_start: terms.flightStart,
    impressions: terms.impressions,
    price_micros: terms.priceMicros,
    product_id: terms.productId,
  });

/** `sha256:` and the lower-case hex of the text's hash; the hash function is the caller's, this folder is pure. */
export const termsDigest = (terms: DigestTerms, sha256Hex: (text: string) => string): string =>
  `sha256:${sha256Hex(termsText(terms))}`;
