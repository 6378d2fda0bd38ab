import { pino } from "pino";
import type { Log } from "../protocol/seam/ports.ts";
import { redactor } from "./redaction.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof logLevels)[number];

/** The least level that is written, which can be changed while the agent runs. */
export interface LogLevels {
  readonly configured: LogLevel;
  now(): LogLevel;
  /** `by`: who changes it, for the line that tells of it at every level. */
  set(level: LogLevel, by: string): void;
}

export interface AgentLog extends Log {
  readonly levels: LogLevels;
}

/**
 * JSON lines on stderr. Callers pass chosen fields, never a header, a body or a credential; what a text holds all the
 * same, or one of `secrets`, is redacted.
 */
export const createLog = (agent: string, configured: LogLevel, secrets: readonly string[] = []): AgentLog => {
  const logger = pino(
    { level: configured, base: { agent }, hooks: { streamWrite: redactor(secrets) } },
    pino.destination({ dest: 2, sync: false, minLength: 0 }),
  );
  const debug: Log["debug"] = (fields, message) => logger.debug(fields, message);
  return {
    get debug() {
      return logger.isLevelEnabled("debug") ? debug : undefined;
    },
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    levels: {
      configured,
      now: () => logger.level as LogLevel,
      set: (level, by) => {
        const from = logger.level;
        if (!logger.isLevelEnabled("warn")) logger.level = "warn";
        logger.warn({ from, to: level, by }, "the log level changes");
        logger.level = level;
      },
    },
  };
};

/** To `debug`, and from there back to what is configured. */
export const toggleDebug = ({ levels }: AgentLog): void =>
  levels.set(levels.now() === "debug" ? levels.configured : "debug", "signal");
