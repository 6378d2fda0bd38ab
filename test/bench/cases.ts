/** What a server tells the load generator and the other side: plain JSON, as it crosses a process boundary. */
export type Info = Readonly<Record<string, unknown>>;

/** How a side is started. `flushDelayMs` is added to every flush to the disk; `stored` is how many deals exist. */
export interface SideOptions {
  readonly flushDelayMs: number;
  readonly stored: number;
  /** What the system under test told, for a bound that has to do the same amount of work; null for the former. */
  readonly peer: Info | null;
}

/** A server that listens, in its own process. */
export interface BenchServer {
  readonly url: string;
  readonly info: Info;
}

/** One request of autocannon; `setupRequest` and `onResponse` share a context per connection. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  setupRequest?(request: LoadRequest, context: Record<string, unknown>): LoadRequest;
  onResponse?(status: number, body: string, context: Record<string, unknown>): void;
}

/**
 * One comparison: a system under test, the bound it is measured against, and the load that both get. `perJob` is how
 * many requests make one job. `target` is the least ratio of jobs a second, and of CPU per job, that is accepted.
 */
export interface BenchCase {
  readonly name: string;
  readonly perJob: number;
  readonly target: number;
  readonly aim: number;
  readonly options?: Partial<SideOptions>;
  sut(options: SideOptions): Promise<BenchServer>;
  bound(options: SideOptions): Promise<BenchServer>;
  load(info: Info, side: "sut" | "bound"): readonly LoadRequest[];
  /** Whether an answer with a good status is a good answer, for wires that say errors in the body. */
  isGood?(body: string): boolean;
}

/** What a module of cases exports for the child processes. */
export interface CaseModule {
  readonly cases: readonly BenchCase[];
}

/** Where the processes of a run find their parts, and how long it takes. */
export interface Plan {
  readonly module: string;
  readonly seconds: number;
  readonly rounds: number;
  /** Jobs that each side does before it is measured, so that compiled code meets compiled code. */
  readonly warmJobs: number;
  readonly connections: number;
}
