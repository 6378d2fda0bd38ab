/** Plain JSON: it crosses a process boundary. */
export type Info = Readonly<Record<string, unknown>>;

/** `flushDelayMs` is added to every flush; `stored` is the number of deals. */
export interface SideOptions {
  readonly flushDelayMs: number;
  readonly stored: number;
  /** From the system under test, so that the bound does as much work; null for the former. */
  readonly peer: Info | null;
}

export interface BenchServer {
  readonly url: string;
  readonly info: Info;
}

/** `setupRequest` and `onResponse` share a context per connection. */
export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  setupRequest?(request: LoadRequest, context: Record<string, unknown>): LoadRequest;
  onResponse?(status: number, body: string, context: Record<string, unknown>): void;
}

/** `perJob` requests make one job. `target` is the least accepted ratio of jobs a second, and of CPU per job. */
export interface BenchCase {
  readonly name: string;
  readonly perJob: number;
  readonly target: number;
  readonly options?: Partial<SideOptions>;
  sut(options: SideOptions): Promise<BenchServer>;
  bound(options: SideOptions): Promise<BenchServer>;
  load(info: Info, side: "sut" | "bound"): readonly LoadRequest[];
  /** For wires that report errors in the body of a good status. */
  isGood?(body: string): boolean;
}

export interface CaseModule {
  readonly cases: readonly BenchCase[];
}

export interface Plan {
  readonly module: string;
  readonly seconds: number;
  readonly rounds: number;
  /** So that compiled code meets compiled code. */
  readonly warmJobs: number;
  readonly connections: number;
}
