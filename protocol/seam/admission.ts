import { isRefusal, type Refusal, refuse } from "../neutral/refusals.ts";
import { anonymousCaller, type Caller, type Credentials, hostCaller, presentedSecret } from "./caller.ts";
import type { CallerDirectory, LimitState, Log, RateLimiter } from "./ports.ts";
import { causeOf, storeRefusal } from "./store-failure.ts";

/**
 * One request at the gates of credential and rate limit. Every door holds one and hands it to `run`; whoever asks
 * first, the credential is looked up once and the request is counted once.
 */
export interface Admission {
  /** The caller, or why the credential is refused. A request without a credential is the anonymous caller. */
  who(): Promise<Caller | Refusal>;
  /** Counts the request, at most once. Returns the refusal of the credential or of one request too many. */
  count(): Promise<Refusal | null>;
  /** Counts one more request of the same caller, for a message that holds several. */
  countMore(): Promise<Refusal | null>;
  /** The remaining quota: of the caller where it is known, else of the address. Null where there is no limit. */
  remaining(): Promise<LimitState | null>;
}

/** The credential of a request, and the address that it came from. */
export interface Claim extends Credentials {
  readonly address: string;
}

interface AdmissionParts {
  readonly callers: CallerDirectory;
  readonly limiter: RateLimiter;
  readonly log: Log;
}

const rateRefusal = (state: LimitState | null): Refusal | null =>
  state === null || state.allowed ? null : refuse("rate_limited", { retryAfterSeconds: state.resetSeconds });

class RequestAdmission implements Admission {
  readonly #parts: AdmissionParts;
  readonly #claim: Claim;
  #found: Promise<Caller | Refusal> | null = null;
  #counted: Promise<Refusal | null> | null = null;
  #caller: Caller | null = null;
  #rate: LimitState | null = null;

  constructor(parts: AdmissionParts, claim: Claim) {
    this.#parts = parts;
    this.#claim = claim;
  }

  who(): Promise<Caller | Refusal> {
    return (this.#found ??= this.#find());
  }

  count(): Promise<Refusal | null> {
    return (this.#counted ??= this.countMore());
  }

  async countMore(): Promise<Refusal | null> {
    const who = await this.who();
    if (!isRefusal(who)) {
      this.#rate = await this.#parts.limiter.take(who);
      return rateRefusal(this.#rate);
    }
    if (who.code === "unavailable") return who;
    // Counted against the address, so that keys cannot be tried without end.
    this.#rate = await this.#parts.limiter.take(anonymousCaller(this.#claim.address));
    return rateRefusal(this.#rate) ?? who;
  }

  async remaining(): Promise<LimitState | null> {
    if (this.#rate !== null) return this.#rate;
    return (await this.#parts.limiter.standing?.(this.#caller ?? anonymousCaller(this.#claim.address))) ?? null;
  }

  async #find(): Promise<Caller | Refusal> {
    const secret = presentedSecret(this.#claim);
    const { address } = this.#claim;
    try {
      const who = secret === null ? anonymousCaller(address) : await this.#parts.callers.find(secret, address);
      if (!isRefusal(who)) this.#caller = who;
      return who;
    } catch (error) {
      const refusal = storeRefusal(error);
      if (refusal === null) throw error;
      this.#parts.log.error(causeOf(error), refusal.code);
      return refusal;
    }
  }
}

/** The admission of a request that brings its own credential. */
export const createAdmission = (parts: AdmissionParts, claim: Claim): Admission => new RequestAdmission(parts, claim);

/** The operator of the host: a command, stdio or a timer of the agent itself. It has no limit. */
export const hostAdmission: Admission = {
  who: () => Promise.resolve(hostCaller),
  count: () => Promise.resolve(null),
  countMore: () => Promise.resolve(null),
  remaining: () => Promise.resolve(null),
};
