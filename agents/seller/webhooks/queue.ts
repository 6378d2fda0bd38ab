/** Jobs by holder: a bounded number runs at once, for each holder and in all, the others wait in their order. */
export interface FairQueue {
  /** Whether one more job of the holder has room. */
  hasRoom(holder: string): boolean;
  add(holder: string, job: () => Promise<void>): void;
  /** Drops what waits and resolves when nothing runs any more. */
  stop(): Promise<void>;
}

export interface QueueLimits {
  readonly mostRunning: number;
  readonly mostRunningPerHolder: number;
  readonly mostWaiting: number;
  readonly mostWaitingPerHolder: number;
}

interface Holder {
  readonly waiting: (() => Promise<void>)[];
  running: number;
}

/** A slow holder takes its own places only: the rest of the queue goes on. Jobs must not reject. */
export const createFairQueue = (limits: QueueLimits): FairQueue => {
  const holders = new Map<string, Holder>();
  const running = new Set<Promise<void>>();
  let waiting = 0;
  let isStopped = false;

  const start = (name: string, holder: Holder): void => {
    const job = holder.waiting.shift();
    if (job === undefined) return;
    waiting -= 1;
    holder.running += 1;
    const done = job().finally(() => {
      running.delete(done);
      holder.running -= 1;
      if (holder.running === 0 && holder.waiting.length === 0) holders.delete(name);
      else {
        // To the end of the line, so that holders take turns.
        holders.delete(name);
        holders.set(name, holder);
      }
      startAll();
    });
    running.add(done);
  };

  const startAll = (): void => {
    for (const [name, holder] of [...holders]) {
      while (!isStopped && running.size < limits.mostRunning && holder.running < limits.mostRunningPerHolder) {
        if (holder.waiting.length === 0) break;
        start(name, holder);
      }
    }
  };

  return {
    hasRoom: (name) =>
      !isStopped &&
      waiting < limits.mostWaiting &&
      (holders.get(name)?.waiting.length ?? 0) < limits.mostWaitingPerHolder,
    add: (name, job) => {
      if (isStopped) return;
      const holder = holders.get(name) ?? { waiting: [], running: 0 };
      holders.set(name, holder);
      holder.waiting.push(job);
      waiting += 1;
      startAll();
    },
    stop: async () => {
      isStopped = true;
      holders.clear();
      await Promise.all(running);
    },
  };
};
