import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap double before all of it is collected. The program and the rows of the embedded store live as long as
 * the process; the engine alone collects after a tenth more, walks them all each time and frees next to nothing.
 */
export const growHeapTwofold = (): void => setFlagsFromString("--heap-growing-percent=100");
