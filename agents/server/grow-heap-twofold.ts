import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap double before all of it is collected. The rows of a store lie outside of it, so what lives long there
 * is the program, and little is added; the engine alone collects after a tenth more, looks through the whole program
 * each time and finds next to nothing: up to 7 % of the time of a busy seller.
 */
export const growHeapTwofold = (): void => setFlagsFromString("--heap-growing-percent=100");
