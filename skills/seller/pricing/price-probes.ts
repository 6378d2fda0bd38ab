/** Many tries at a price would find the floor. */
export interface PriceProbes {
  take(buyer: string, productId: string): Promise<{ readonly allowed: boolean; readonly retryAfterSeconds: number }>;
}
