const slots = 251;
const times = new Float64Array(slots).fill(Number.NaN);
const texts = Array.from({ length: slots }, () => "");

/**
 * A moment in milliseconds as ISO 8601 in UTC. The text of a moment is kept until another one takes its slot: what one
 * call writes and answers names few moments, and calls that are answered together name the same.
 *
 * @throws RangeError when the moment is none that a date can name.
 */
export const isoTime = (timeMs: number): string => {
  const slot = Math.abs(Math.trunc(timeMs)) % slots;
  if (times[slot] !== timeMs) {
    texts[slot] = new Date(timeMs).toISOString();
    times[slot] = timeMs;
  }
  return texts[slot] as string;
};
