import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import pg from "pg";
import { afterAll, describe, inject, it } from "vitest";
import type { BrokerAnswer } from "./setup.ts";

interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const askBroker = (): Promise<BrokerAnswer> =>
  new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(inject("postgresBroker"));
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", reject);
    socket.on("end", () => resolve(JSON.parse(text) as BrokerAnswer));
  });

export const runSql = async <R extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<R[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(text, values)).rows;
  } finally {
    await client.end();
  }
};

const createDatabase = async (): Promise<TestDatabase | { readonly reason: string }> => {
  const answer = await askBroker();
  if ("error" in answer) throw new Error(answer.error);
  if ("reason" in answer) return answer;
  const name = `parley_test_${process.pid}_${randomBytes(4).toString("hex")}`;
  await runSql(answer.url, `CREATE DATABASE ${name}`);
  const url = new URL(answer.url);
  url.pathname = `/${name}`;
  return { url: url.href, drop: async () => void (await runSql(answer.url, `DROP DATABASE ${name} WITH (FORCE)`)) };
};

export const describeSkipped = (title: string, reason: string): void => {
  describe(title, () => it("runs on a PostgreSQL of its own", (test) => test.skip(reason)));
};

export const describeOnPostgres = async (title: string, tests: (url: string) => void): Promise<void> => {
  const database = await createDatabase();
  if ("reason" in database) {
    describeSkipped(title, database.reason);
    return;
  }
  describe(title, () => {
    afterAll(() => database.drop());
    tests(database.url);
  });
};
