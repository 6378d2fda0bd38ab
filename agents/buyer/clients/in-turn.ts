import type { BuyerPorts } from "../../../skills/buyer/ports.ts";

/** A work that fails does not stop the next. */
export const createTurns = (): BuyerPorts["inTurn"] => {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = mine
      .catch(() => undefined)
      .then(() => {
        if (last.get(name) === ended) last.delete(name);
      });
    last.set(name, ended);
    return mine;
  };
};
