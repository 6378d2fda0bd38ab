import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSampleEdge } from "../../agents/commands/sample-edge.ts";
import { reservePort, reservePorts } from "../../agents/server/port.ts";

test("a taken port is refused with the cure", async () => {
  const host = "127.0.0.1";
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  await expect(reservePort(host, port)).rejects.toThrow(
    `Port ${port} on ${host} is taken by another program. Stop it, or choose another port`,
  );
  await new Promise((resolve) => server.close(resolve));
});

test("any free port is another one each time that it is asked for, and all are free again", async () => {
  const host = "127.0.0.1";
  const ports = await reservePorts(
    host,
    Array.from({ length: 20 }, () => 0),
  );
  expect(new Set(ports).size).toBe(20);
  expect(await reservePorts(host, ports)).toEqual(ports);
});

test("the sample edge tells of a port that is taken in the last moment, and closes its site", async () => {
  const host = "127.0.0.1";
  const dir = await mkdtemp(join(tmpdir(), "parley-port-"));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  await expect(startSampleEdge(host, port, dir)).rejects.toThrow(`Port ${port} on ${host} is taken by `);
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length;
  await expect.poll(listening).toBe(1);
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true, force: true });
});
