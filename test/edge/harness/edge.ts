import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEdge, type StartedEdge } from "../../../agents/edge/runtimes/run.ts";

export type Letter = "A" | "B" | "C" | "D";
export const LETTERS: readonly Letter[] = ["A", "B", "C", "D"];

/** Named by the test configurations. */
export const SECRETS: Readonly<Record<string, string>> = {
  "proxy-entry": "unit-test-proxy-secret",
  "passphrase-entry": "test-secret-key-32-bytes-minimum",
  "alpha-token": "integration-test-token-alpha-32-bytes-ok",
  "beta-token": "integration-test-token-beta-32-bytes-okay",
  "admin-entry": "correct horse battery staple",
  "front-entry": "0123456789abcdef0123456789abcdef",
  "kid-abc": "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
  "s3-key": "AKIAIOSFODNN7EXAMPLE",
  "s3-secret": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

export type EdgeStart = {
  readonly config: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
  /** Kept over a restart. */
  readonly data?: string;
};

export type TestEdge = StartedEdge & { readonly data: string };

/** A runtime that does not start fails the test. */
export const startTestEdge = async (letter: Letter, start: EdgeStart): Promise<TestEdge> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-edge-test-"));
  await writeFile(join(folder, "edge.toml"), start.config);
  await writeFile(join(folder, "secrets.json"), JSON.stringify(start.secrets ?? SECRETS));
  const data = start.data ?? join(folder, "data");
  const edge = await startEdge({
    port: 0,
    host: "127.0.0.1",
    config: join(folder, "edge.toml"),
    secrets: join(folder, "secrets.json"),
    runtime: letter,
    data,
    environment: { OUTBOUND_ALLOW: "127.0.0.1", ...start.environment },
  });
  return {
    ...edge,
    data,
    async close() {
      await edge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
