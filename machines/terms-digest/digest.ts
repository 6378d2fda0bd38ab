/** What two sides must agree about; any drift changes the digest. */
export interface DigestTerms {
  readonly productId: string;
  readonly priceMicros: number;
  readonly impressions: number | null;
  readonly flightStart: string;
  readonly flightEnd: string;
  readonly dealType: string;
  readonly currency: string;
}

/** Canonical JSON: sorted keys, no blanks. */
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

/** The caller brings the hash function: this folder is pure. */
export const termsDigest = (terms: DigestTerms, sha256Hex: (text: string) => string): string =>
  `sha256:${sha256Hex(termsText(terms))}`;
