/** The owner, and the receiver among the owner's. */
export interface Holder {
  readonly owner: string;
  readonly receiver: string;
}

/** Bounded in all, per owner and per receiver; others wait in order. */
export interface FairQueue {
  hasRoom(holder: Holder): boolean;
  add(holder: Holder, job: () => Promise<void>): void;
  size(): { readonly waiting: number; readonly running: number };
  /** Starts the waiting jobs, which know that they are to give up, and resolves when no job runs. */
  stop(): Promise<void>;
}

export interface QueueLimits {
  readonly running: number;
  readonly runningPerOwner: number;
  readonly runningPerReceiver: number;
  readonly waiting: number;
  readonly waitingPerOwner: number;
  readonly waitingPerReceiver: number;
}

type Job = () => Promise<void>;

interface Line {
  readonly waiting: Job[];
  running: number;
}

interface Owner {
  readonly lines: Map<string, Line>;
  waiting: number;
  running: number;
}

const toTheEnd = <T>(entries: Map<string, T>, name: string, entry: T): void => {
  entries.delete(name);
  entries.set(name, entry);
};

const nextInTurn = (owners: ReadonlyMap<string, Owner>, limits: QueueLimits): Holder | null => {
  for (const [name, owner] of owners) {
    if (owner.running >= limits.runningPerOwner) continue;
    for (const [receiver, line] of owner.lines) {
      if (line.waiting.length > 0 && line.running < limits.runningPerReceiver) return { owner: name, receiver };
    }
  }
  return null;
};

/** Owners take turns, and each owner's receivers among themselves: a slow one delays nobody else. Jobs never reject. */
export const createFairQueue = (limits: QueueLimits): FairQueue => {
  const owners = new Map<string, Owner>();
  const running = new Set<Promise<void>>();
  let waiting = 0;
  let isStopped = false;

  const start = (name: Holder): void => {
    const owner = owners.get(name.owner);
    const line = owner?.lines.get(name.receiver);
    const job = line?.waiting.shift();
    if (owner === undefined || line === undefined || job === undefined) return;
    waiting -= 1;
    owner.waiting -= 1;
    owner.running += 1;
    line.running += 1;
    toTheEnd(owner.lines, name.receiver, line);
    toTheEnd(owners, name.owner, owner);
    const done = job().finally(() => {
      running.delete(done);
      owner.running -= 1;
      line.running -= 1;
      if (line.running + line.waiting.length === 0) owner.lines.delete(name.receiver);
      if (owner.lines.size === 0) owners.delete(name.owner);
      startAll();
    });
    running.add(done);
  };

  const startAll = (): void => {
    while (!isStopped && running.size < limits.running) {
      const next = nextInTurn(owners, limits);
      if (next === null) return;
      start(next);
    }
  };

  return {
    hasRoom: ({ owner: name, receiver }) => {
      const owner = owners.get(name);
      return (
        !isStopped &&
        waiting < limits.waiting &&
        (owner?.waiting ?? 0) < limits.waitingPerOwner &&
        (owner?.lines.get(receiver)?.waiting.length ?? 0) < limits.waitingPerReceiver
      );
    },
    add: ({ owner: name, receiver }, job) => {
      if (isStopped) return;
      const owner = owners.get(name) ?? { lines: new Map<string, Line>(), waiting: 0, running: 0 };
      const line = owner.lines.get(receiver) ?? { waiting: [], running: 0 };
      owners.set(name, owner);
      owner.lines.set(receiver, line);
      line.waiting.push(job);
      owner.waiting += 1;
      waiting += 1;
      startAll();
    },
    size: () => ({ waiting, running: running.size }),
    stop: async () => {
      isStopped = true;
      const left = [...owners.values()].flatMap(({ lines }) => [...lines.values()].flatMap((line) => line.waiting));
      owners.clear();
      await Promise.all([...running, ...left.map((job) => job())]);
    },
  };
};
