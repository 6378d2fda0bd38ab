import { pino } from "pino";
import type { Log } from "../protocol/seam/ports.ts";

/** JSON lines on stderr. Callers pass chosen fields; nothing here ever sees a header, a body or a credential. */
export const createLog = (agent: string, level: string): Log => {
  const logger = pino({ level, base: { agent } }, pino.destination({ dest: 2, sync: false, minLength: 0 }));
  const debug: Log["debug"] = (fields, message) => logger.debug(fields, message);
  return {
    ...(logger.isLevelEnabled("debug") ? { debug } : {}),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
};
