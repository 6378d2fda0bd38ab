import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "..", "..");

/** Its packages stay where they are installed. */
export const compileProgram = async (entry: string): Promise<string> => {
  const name = `${basename(entry, ".ts")}-${process.pid}.mjs`;
  const outfile = join(root, "node_modules", ".cache", "parley-test", name);
  const shape = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
  await build({ ...shape, entryPoints: [entry], outfile, logLevel: "error" });
  return outfile;
};

export interface Child {
  readonly process: ChildProcess;
  readonly heard: unknown[];
  run<T>(task: string, input?: unknown): Promise<T>;
  end(): Promise<void>;
}

interface Reply {
  readonly result?: unknown;
  readonly error?: string;
  readonly news?: unknown;
}

/** Messages are `{result}`, `{error}` or `{news}`. */
export const startChild = (program: string, argument: unknown, flags: readonly string[] = []): Child => {
  const child = fork(program, [JSON.stringify(argument)], { cwd: root, execArgv: [...flags] });
  const heard: unknown[] = [];
  let settle: ((reply: Reply) => void) | undefined;
  child.on("message", (reply: Reply) => {
    if ("news" in reply) heard.push(reply.news);
    else settle?.(reply);
  });
  child.on("exit", (code, signal) => settle?.({ error: `the child ended with ${signal ?? String(code)}` }));
  return {
    process: child,
    heard,
    run: async <T>(task: string, input: unknown = null) => {
      const reply = await new Promise<Reply>((resolve) => {
        settle = resolve;
        child.send({ task, input });
      });
      if (reply.error !== undefined) throw new Error(reply.error);
      return reply.result as T;
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
};
