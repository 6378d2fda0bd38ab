import { isRefusal, type Refusal, refuse } from "../neutral/refusals.ts";
import {
  anonymousCaller,
  type Caller,
  type Credentials,
  hostCaller,
  presentedSecret,
  unreadableSecret,
} from "./caller.ts";
import type { CallerDirectory, LimitState, Log, RateLimiter } from "./ports.ts";
import { causeOf, logStoreFailure, storeRefusal } from "./run/store-failure.ts";

/**
 * The gates of credential and rate limit. Shared by door and `run`: the credential is looked up once, and the request
 * takes from the limit once.
 */
export interface Admission {
  /** Without a credential: the anonymous caller. */
  who(): Promise<Caller | Refusal>;
  /** At most once. Returns a refusal of the credential or the rate limit. */
  count(): Promise<Refusal | null>;
  /** For a message with several calls. */
  countMore(): Promise<Refusal | null>;
  /** Of the caller where known, else of the address. Null: no limit. */
  remaining(): Promise<LimitState | null>;
  /** Refused for a scope that the token lacks, for the headers of the answer. */
  lacks(scope: string): void;
  lackingScope(): string | null;
  /** How a call of this request ended, for the line of the request. */
  answered(call: AnsweredCall): void;
  told(): ToldOfCalls;
  /** In a sandbox, what each call is to be refused with. */
  readonly wanted?: Refusal;
}

/** `operation` null: an unknown one. */
export interface AnsweredCall {
  readonly operation: string | null;
  readonly outcome: string;
}

/** `last` is null before the first; `principal` where the credential is known. */
export interface ToldOfCalls {
  readonly count: number;
  readonly last: AnsweredCall | null;
  readonly principal: string | null;
}

const toldNothing: ToldOfCalls = { count: 0, last: null, principal: null };

/** `cookies`: only from the console's own page. */
export interface Claim extends Credentials {
  readonly cookies?: string | null;
  readonly address: string;
}

interface AdmissionParts {
  readonly callers: CallerDirectory;
  readonly limiter: RateLimiter;
  readonly log: Log;
}

const rateRefusal = (state: LimitState | null): Refusal | null =>
  state === null || state.allowed ? null : refuse("rate_limited", { retryAfterSeconds: state.resetSeconds });

/** As anonymous, a client that believes to be known would be given other prices, and own nothing (RFC 6750, 3.1). */
const unreadable = refuse("invalid_api_key", {
  message:
    "The Authorization header is not Bearer and one key. Send Authorization: Bearer KEY or X-Api-Key: KEY, or " +
    "neither for what is public.",
});

class RequestAdmission implements Admission {
  readonly #parts: AdmissionParts;
  readonly #claim: Claim;
  #found: Promise<Caller | Refusal> | null = null;
  #counted: Promise<Refusal | null> | null = null;
  #caller: Caller | null = null;
  #rate: LimitState | null = null;
  #lacking: string | null = null;
  #last: AnsweredCall | null = null;
  #calls = 0;

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
    // Takes from the address's limit, so that keys cannot be guessed without end.
    this.#rate = await this.#parts.limiter.take(anonymousCaller(this.#claim.address));
    return rateRefusal(this.#rate) ?? who;
  }

  lacks(scope: string): void {
    this.#lacking = scope;
  }

  lackingScope(): string | null {
    return this.#lacking;
  }

  answered(call: AnsweredCall): void {
    this.#last = call;
    this.#calls += 1;
  }

  told(): ToldOfCalls {
    return { count: this.#calls, last: this.#last, principal: this.#caller?.principal ?? null };
  }

  async remaining(): Promise<LimitState | null> {
    if (this.#rate !== null) return this.#rate;
    return (await this.#parts.limiter.standing?.(this.#caller ?? anonymousCaller(this.#claim.address))) ?? null;
  }

  async #claimed(): Promise<Caller | Refusal> {
    const { callers } = this.#parts;
    const { address, cookies = null } = this.#claim;
    const secret = presentedSecret(this.#claim);
    if (secret !== null) {
      const who = await callers.find(secret, address);
      return secret === unreadableSecret && isRefusal(who) ? unreadable : who;
    }
    const inSession = cookies === null ? null : await callers.inSession?.(cookies, address);
    return inSession ?? anonymousCaller(address);
  }

  async #find(): Promise<Caller | Refusal> {
    try {
      const who = await this.#claimed();
      if (!isRefusal(who)) this.#caller = who;
      return who;
    } catch (error) {
      const refusal = storeRefusal(error);
      if (refusal === null) throw error;
      logStoreFailure(this.#parts.log, refusal.code, causeOf(error));
      return refusal;
    }
  }
}

export const createAdmission = (parts: AdmissionParts, claim: Claim): Admission => new RequestAdmission(parts, claim);

/** A command, stdio or a timer of the agent itself: no limit. */
export const hostAdmission: Admission = {
  who: () => Promise.resolve(hostCaller),
  count: () => Promise.resolve(null),
  countMore: () => Promise.resolve(null),
  remaining: () => Promise.resolve(null),
  lacks: () => undefined,
  lackingScope: () => null,
  answered: () => undefined,
  told: () => toldNothing,
};
