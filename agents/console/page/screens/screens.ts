import type { ComponentType } from "preact";
import type { Screen, ScreenProps, UseFound } from "./screen.ts";

/** Of this agent alone: its page loads no screen of the other. Filled before anything is drawn. */
export let screens: readonly Screen[] = [];

const findsNothing: UseFound = () => ({ found: [], isLooking: false, failure: null });

/** What the agent's search finds. */
export let useFound: UseFound = findsNothing;

interface OfAgent {
  readonly screens: readonly Screen[];
  readonly search: UseFound;
}

export const setScreens = (listed: OfAgent): void => {
  ({ screens, search: useFound } = listed);
};

const loaded = new Map<Screen, ComponentType<ScreenProps>>();

export const loadedScreen = (screen: Screen): ComponentType<ScreenProps> | null => loaded.get(screen) ?? null;

/** Rejects where its part of the script does not come: no connection, or an agent of another version. */
export const loadScreen = async (screen: Screen): Promise<void> => {
  loaded.set(screen, await screen.load());
};
