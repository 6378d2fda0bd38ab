import type { Screen } from "./screen.ts";

/** Of this agent alone: its page loads no screen of the other. Filled before anything is drawn. */
export let screens: readonly Screen[] = [];

export const setScreens = (loaded: readonly Screen[]): void => {
  screens = loaded;
};
