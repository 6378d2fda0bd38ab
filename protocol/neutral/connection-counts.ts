/** Connections by address, of which each may hold `most` at once; 0: no limit. */
export interface ConnectionCounts {
  /** False: the address has all that it may hold. */
  enter(address: string): boolean;
  leave(address: string): void;
}

export const createConnectionCounts = (most: number): ConnectionCounts => {
  const open = new Map<string, number>();
  return {
    enter: (address) => {
      const count = open.get(address) ?? 0;
      if (most > 0 && count >= most) return false;
      open.set(address, count + 1);
      return true;
    },
    leave: (address) => {
      const count = (open.get(address) ?? 0) - 1;
      if (count > 0) open.set(address, count);
      else open.delete(address);
    },
  };
};

interface Closable {
  readonly remoteAddress?: string | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

/** Closes a connection that is one too many; nothing that it sends is read. */
export const admitConnection = (counts: ConnectionCounts, socket: Closable): void => {
  const { remoteAddress: address = "" } = socket;
  if (!counts.enter(address)) return void socket.destroy();
  socket.once("close", () => counts.leave(address));
};
