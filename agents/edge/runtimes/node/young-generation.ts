import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

const enoughBytes = 16 << 20;

const lookMs = 50;

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? Infinity;

/**
 * Ends the growth of the young generation where it is enough for the bodies of an edge, whatever the flags of the
 * process allow: beyond, it takes memory and saves no time. The engine reads its largest size at the start of the
 * process alone, but the factor of its growth each time that it grows.
 */
export const boundYoungGeneration = (): void => {
  const looking = setInterval(() => {
    if (youngBytes() < enoughBytes) return;
    setFlagsFromString("--semi-space-growth-factor=1");
    clearInterval(looking);
  }, lookMs);
  looking.unref();
};
