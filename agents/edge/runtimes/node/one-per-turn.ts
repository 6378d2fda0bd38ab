/**
 * Starts one work in each turn of the event loop, in the order of their coming. libuv accepts one connection a turn
 * (since 1.45), and a worker of a cluster takes one: where each turn began the work of every connection that has some,
 * 200 new ones waited for 200 times all of it.
 */
export const createOnePerTurn = () => {
  const waiting: (() => void)[] = [];
  const startOne = (): void => {
    const start = waiting.shift();
    if (waiting.length > 0) setImmediate(startOne);
    start?.();
  };
  return (start: () => void): void => {
    waiting.push(start);
    if (waiting.length === 1) setImmediate(startOne);
  };
};
