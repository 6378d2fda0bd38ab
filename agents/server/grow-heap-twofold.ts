import { setFlagsFromString } from "node:v8";

/**
 * The rows of the embedded store live as long as the process: V8's default collects after a tenth more, walks them all
 * and frees next to nothing.
 */
export const growHeapTwofold = (): void => setFlagsFromString("--heap-growing-percent=100");
