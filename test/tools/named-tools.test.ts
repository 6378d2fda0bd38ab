import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buyerOperations } from "../../agents/buyer/operations.ts";
import { buyerInstructions, buyerTools } from "../../agents/buyer/tool-lists.ts";
import { sellerOperations } from "../../agents/seller/operations.ts";
import { sellerInstructions, sellerTools } from "../../agents/seller/tool-lists.ts";
import { anonymousCaller, type Caller, hostCaller } from "../../protocol/seam/caller.ts";
import type { Examples } from "../../protocol/openapi/openapi.ts";
import { unlistedTools } from "../../tools/calls/unlisted.ts";
import { buyerPrompts } from "../../agents/buyer/prompts.ts";
import { sellerPrompts } from "../../agents/seller/prompts.ts";
import { toolCatalog } from "../../tools/catalog.ts";
import { listedTools, toolSelection, toolView } from "../../tools/listing.ts";

const agents = [
  { agent: "seller", operations: sellerOperations, lists: sellerTools, instructions: sellerInstructions },
  { agent: "buyer", operations: buyerOperations, lists: buyerTools, instructions: buyerInstructions },
] as const;

const buyer: Caller = { ...anonymousCaller("127.0.0.1"), kind: "key", principal: "key:k-1", roles: ["buyer"] };
const callers = { anonymous: anonymousCaller("127.0.0.1"), buyer, operator: hostCaller };

const namesIn = (text: string): readonly string[] => text.match(/[a-z]+(?:_[a-z]+)+/g) ?? [];

describe.each(agents)("the tools that the $agent's texts name", ({ operations, lists, instructions }) => {
  const contracts = operations.map(({ contract }) => contract);
  const catalog = toolCatalog(contracts);
  const isTool = (name: string): boolean => contracts.some((contract) => contract.name === name);

  test.each(Object.entries(callers))("%s: a description names only tools of the same list", (_who, caller) => {
    const listed = listedTools(catalog, toolView(lists, caller));
    const names = new Set(listed.map(({ name }) => name));
    const unseen = listed.flatMap(({ name, description, inputSchema }) =>
      namesIn(`${description} ${JSON.stringify(inputSchema)}`)
        .filter((other) => isTool(other) && !names.has(other))
        .map((other) => `${name} names ${other}`),
    );
    expect(unseen).toEqual([]);
  });

  test("the instructions name only tools that an operator is shown", () => {
    const names = new Set(listedTools(catalog, toolView(lists, hostCaller)).map(({ name }) => name));
    expect(namesIn(instructions).filter((name) => isTool(name) && !names.has(name))).toEqual([]);
  });

  test.each(Object.entries(callers))("%s: an answer says how every other tool that it names is got", (_who, caller) => {
    const view = toolView(lists, caller);
    for (const contract of contracts.filter((one) => view.mayCall(one) && one.closedDoors?.mcp === undefined)) {
      const answer = { deals: [{ next_step: `Call ${contract.name}.` }] };
      const { unlisted_tools: [way = ""] = [] } = unlistedTools(catalog, view, answer);
      if (view.lists(contract)) {
        expect(way).toBe("");
        continue;
      }
      const [, toolset = ""] = /^\w+: connect with toolset=(\S+) to see it$/.exec(way) ?? [];
      expect(toolView(lists, caller, toolSelection(toolset, false)).lists(contract), contract.name).toBe(true);
    }
  });
});

test("what only somebody else may call is not offered", () => {
  const catalog = toolCatalog(sellerOperations.map(({ contract }) => contract));
  const answer = { next_step: "An operator decides with approve_or_reject; resume_approval says what became of it." };
  expect(unlistedTools(catalog, toolView(sellerTools, buyer), answer)).toEqual({});
});

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

describe("every operation that an answer or a prompt names, the caller can find", () => {
  const examples = JSON.parse(readFileSync("docs/surface/seller/examples.json", "utf8")) as Examples;
  const catalog = toolCatalog(sellerOperations.map(({ contract }) => contract));

  /** A case's own answer may say its operation, as an audit entry does. */
  const isTold = (texts: readonly string[], name: string): boolean =>
    texts.some((text) => text !== name && namesIn(text).includes(name));

  test.each(Object.entries(callers))(
    "%s: in the recorded answer of each operation that it may call",
    (_who, caller) => {
      const view = toolView(sellerTools, caller);
      const lost = Object.entries(examples).flatMap(([operation, { response }]) => {
        const called = catalog.byName.get(operation);
        if (called === undefined || !view.mayCall(called)) return [];
        const texts = textsIn(response);
        const { unlisted_tools: ways = [] } = unlistedTools(catalog, view, response, called);
        return [...new Set(texts.flatMap(namesIn))].flatMap((name) => {
          const contract = catalog.byName.get(name);
          const isFound =
            contract === undefined || contract === called || !view.mayCall(contract) || view.lists(contract);
          return isFound || !isTold(texts, name) || ways.some((way) => way.startsWith(`${name}:`))
            ? []
            : [`${operation} names ${name}`];
        });
      });
      expect(lost).toEqual([]);
    },
  );

  test.each([
    ["seller", sellerPrompts, sellerOperations, sellerTools],
    ["buyer", buyerPrompts, buyerOperations, buyerTools],
  ] as const)("in the prompts of the %s", (_agent, prompts, operations, lists) => {
    const all = toolCatalog(operations.map(({ contract }) => contract));
    const view = toolView(lists, hostCaller);
    for (const { name, lines } of prompts) {
      const text = lines.join(" ");
      const { unlisted_tools: ways = [] } = unlistedTools(all, view, { next: text });
      const named = namesIn(text).flatMap((one) => all.byName.get(one) ?? []);
      const lost = named.filter((one) => !view.lists(one) && !ways.some((way) => way.startsWith(`${one.name}:`)));
      expect(
        lost.map((one) => one.name),
        name,
      ).toEqual([]);
    }
  });
});
