import { setFlagsFromString } from "node:v8";

/**
 * While calls wait for a disk or a server, V8 sees their objects survive and pretenures such objects. Each request then
 * drags its references into the old generation, minor collections cost ten times as much, and full ones stop all calls.
 */
export const keepCallsYoung = (): void => setFlagsFromString("--no-allocation-site-pretenuring");
