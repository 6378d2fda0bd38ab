import { EventEmitter } from "node:events";
import type { JSONRPCMessage, ServerContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import type { DoorRequest } from "../../protocol/door/door.ts";
import { hostAdmission } from "../../protocol/seam/admission.ts";
import { hostCaller } from "../../protocol/seam/caller.ts";
import { createModernHttp } from "../../tools/wire/per-request.ts";
import type { McpSurface } from "../../tools/surface/surface.ts";
import { requestStates } from "../../tools/wire/questions.ts";
import { CallerInfo, callerIn } from "../../tools/wire/web.ts";

const uri = "parley://quote/qt-1";

const sent: JSONRPCMessage = {
  jsonrpc: "2.0",
  id: 1,
  method: "subscriptions/listen",
  params: { notifications: { resourceSubscriptions: [uri] } },
};

const requestOver = (response: EventEmitter): DoorRequest => ({
  method: "POST",
  params: {},
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  address: "127.0.0.1",
  requestId: "r-1",
  readBody: async () => JSON.stringify(sent),
  admission: hostAdmission,
  node: { request: {}, response } as unknown as DoorRequest["node"],
});

/** One place for streams; `reads` is called where the resource is read, before there is a stream. */
const openWith = (reads: () => void, subscribe: () => Promise<() => void>) => {
  const surface: Partial<McpSurface> = {
    readResource: async () => {
      reads();
      return { contents: [] };
    },
  };
  const parts = {
    surfaces: [surface as McpSurface],
    updates: { subscribe, stop: () => undefined },
    info: { name: "parley", title: "Parley", version: "1" },
    instructions: "",
    states: requestStates(new Uint8Array(32), (context) => callerIn(context).principal),
    callerOf: (context: ServerContext) => callerIn(context).from,
  };
  const http = createModernHttp(parts, 1);
  const from = new CallerInfo({ admission: hostAdmission, requestId: "r-1" }, hostCaller);
  return (response: EventEmitter) => http.serve(requestOver(response), from, sent);
};

test("a caller who leaves before its stream begins holds neither a place nor a subscription", async () => {
  const gone = new EventEmitter();
  let subscribed = 0;
  const listen = openWith(
    () => gone.emit("close"),
    async () => {
      subscribed += 1;
      return () => {
        subscribed -= 1;
      };
    },
  );
  await listen(gone);
  expect(subscribed).toBe(0);
  await expect(listen(new EventEmitter())).resolves.toBeDefined();
});

test("a store that cannot subscribe costs no place", async () => {
  const listen = openWith(
    () => undefined,
    () => Promise.reject(new Error("the store is closed")),
  );
  await expect(listen(new EventEmitter())).rejects.toThrow("the store is closed");
  await expect(listen(new EventEmitter())).rejects.toThrow("the store is closed");
});
