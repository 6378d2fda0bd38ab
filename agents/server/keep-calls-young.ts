import { setFlagsFromString } from "node:v8";

/**
 * While many calls wait for the disk or for other servers, the engine sees the objects of every call live on and begins
 * to make such objects in the old generation. From then on each request drags all that it refers to there, and every
 * minor collection copies it: ten times the cost, and more than the requests themselves; full collections follow, each
 * of which holds all calls back. No object of a call lives long.
 */
export const keepCallsYoung = (): void => setFlagsFromString("--no-allocation-site-pretenuring");
