const slots = 251;
const times = new Float64Array(slots).fill(Number.NaN);
const texts = Array.from({ length: slots }, () => "");

/** Cached: calls answered together name the same few moments. @throws RangeError when no date can name the moment. */
export const isoTime = (timeMs: number): string => {
  const slot = Math.abs(Math.trunc(timeMs)) % slots;
  if (times[slot] !== timeMs) {
    texts[slot] = new Date(timeMs).toISOString();
    times[slot] = timeMs;
  }
  return texts[slot] as string;
};

export const isoTimeOrNull = (timeMs: number | null): string | null => (timeMs === null ? null : isoTime(timeMs));
