import { messageOf } from "../errors.ts";

type Listener = (id: string) => void;

const keyOf = (kind: string, id: string): string => `${kind}\u0000${id}`;

/** One call per write, however many ways the news arrives. Everything up to `horizon` was delivered. */
export const openListeners = (log: (message: string) => void) => {
  const listeners = new Map<string, Set<Listener>>();
  const told = new Map<string, number>();
  return {
    listeners,
    deliver: (kind: string, id: string, stamp: number, horizon: number): void => {
      const watching = listeners.get(kind);
      if (watching === undefined || stamp <= horizon || (told.get(keyOf(kind, id)) ?? 0) >= stamp) return;
      told.set(keyOf(kind, id), stamp);
      for (const listener of watching) {
        try {
          listener(id);
        } catch (error) {
          log(`A listener of ${kind} failed: ${messageOf(error)}`);
        }
      }
    },
    forget: (horizon: number): void => {
      for (const [key, stamp] of told) if (stamp <= horizon) told.delete(key);
    },
    watch: (kind: string, listener: Listener): (() => void) => {
      const watching = listeners.get(kind) ?? new Set<Listener>();
      listeners.set(kind, watching);
      const own: Listener = (id) => listener(id);
      watching.add(own);
      return () => {
        watching.delete(own);
        if (watching.size === 0 && listeners.get(kind) === watching) listeners.delete(kind);
      };
    },
  };
};

export type Listeners = ReturnType<typeof openListeners>;
