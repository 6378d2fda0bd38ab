import { useEffect } from "preact/hooks";

/** Reads again every `everyMs` while `isOn`: some changes come without an event. */
export const usePoll = (isOn: boolean, again: () => void, everyMs: number): void => {
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setInterval(again, everyMs);
    return () => clearInterval(timer);
  }, [isOn]);
};
