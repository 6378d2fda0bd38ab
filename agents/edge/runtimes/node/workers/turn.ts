import type { Worker } from "node:cluster";

/** One worker's turn after the other's; a worker that has died holds none. */
export const createTurn = () => {
  let last: Promise<void> = Promise.resolve();
  const ends = new Map<number, () => void>();
  return {
    /** Resolves when the turn is the worker's. */
    take(worker: Worker): Promise<void> {
      const mine = last;
      last = new Promise((resolve) => {
        void mine.then(() => (worker.isDead() ? resolve() : void ends.set(worker.id, resolve)));
      });
      return mine;
    },
    end({ id }: Worker): void {
      ends.get(id)?.();
      ends.delete(id);
    },
  };
};
