import type { Command } from "commander";
import { examine } from "./connect/examine.ts";
import { version } from "../version.ts";
import { type CommandContext, ExitWith, UsageFailure } from "./context.ts";

const timeoutMs = 10_000;

/** `parley doctor mcp URL`: the way of an assistant to the agent, step by step. */
export const addDoctorCommand = (program: Command, { environment, print }: CommandContext): void => {
  program
    .command("doctor")
    .description("check a connection and say what to mend")
    .command("mcp <url>")
    .description("MCP over HTTP: reachable, initialize, list, one read; the key is PARLEY_KEY")
    .action(async (url: string) => {
      if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
        throw new UsageFailure(
          `${JSON.stringify(url)} is no http or https address. Write it as http://127.0.0.1:8000/mcp.`,
        );
      }
      let isWell = true;
      for await (const step of examine({ url, key: environment["PARLEY_KEY"] || null, version, timeoutMs })) {
        print(`${step.cure === undefined ? "ok    " : "failed"} ${step.name}: ${step.said}`);
        if (step.cure === undefined) continue;
        print(`       ${step.cure}`);
        isWell = false;
      }
      if (!isWell) throw new ExitWith(1);
    });
};
