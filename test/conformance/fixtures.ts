import type { CallToolResult, ElicitRequestFormParams, GetPromptResult } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../../tools/catalog.ts";
import type { McpSurface, Members, Request } from "../../tools/surface/surface.ts";

/** What the public conformance runner expects of any server; served beside the operations. */

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const wave = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (value: string) => ({ type: "text" as const, text: value });
const image = { type: "image" as const, data: pixel, mimeType: "image/png" };
const embedded = (uri: string, value: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType: "text/plain", text: value },
});

type Call = (args: Members, request: Request) => Promise<CallToolResult>;

interface Fixture {
  readonly description: string;
  readonly properties?: Members;
  readonly required?: readonly string[];
  readonly call: Call;
}

const says =
  (...content: CallToolResult["content"]): Call =>
  async () => ({ content });

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const inSteps =
  (step: (request: Request, place: number) => Promise<void>, end: string): Call =>
  async (_args, request) => {
    for (let place = 0; place < 3; place += 1) {
      await step(request, place);
      await pause(50);
    }
    return { content: [text(end)] };
  };

const logStep = ({ log }: Request, place: number): Promise<void> =>
  log("info", ["Tool execution started", "Tool processing data", "Tool execution completed"][place]);

const progressStep = async ({ progress }: Request, place: number): Promise<void> =>
  progress?.(place * 50, { total: 100 });

const sampling = (prompt: string, maxTokens: number) =>
  ({
    method: "sampling/createMessage",
    params: { messages: [{ role: "user", content: text(prompt) }], maxTokens },
  }) as const;

const sample: Call = async ({ prompt }, { ask }) => {
  const { sample: answer } = await ask({ sample: sampling(String(prompt), 100) });
  const { text: said } = (answer?.["content"] ?? {}) as { text?: string };
  return { content: [text(`LLM response: ${said ?? ""}`)] };
};

type FormProperties = ElicitRequestFormParams["requestedSchema"]["properties"];

const form = (message: string, properties: FormProperties, required: readonly string[] = []) =>
  ({
    method: "elicitation/create",
    params: {
      mode: "form",
      message,
      requestedSchema: { type: "object", properties, ...(required.length === 0 ? {} : { required }) },
    },
  }) as const;

const elicit =
  (message: (args: Members) => string, properties: FormProperties): Call =>
  async (args, { ask }) => {
    const required = Object.keys(properties).filter((name) => ["username", "email"].includes(name));
    const { user } = await ask({ user: form(message(args), properties, required) });
    const { action, content } = user as { action?: string; content?: Members };
    return { content: [text(`User response: action=${action}, content=${JSON.stringify(content ?? {})}`)] };
  };

const choices = ["option1", "option2", "option3"];
const titled = [
  { const: "value1", title: "First Option" },
  { const: "value2", title: "Second Option" },
  { const: "value3", title: "Third Option" },
];

const askUser = elicit(({ message }) => String(message), {
  username: { type: "string", description: "User's response" },
  email: { type: "string", description: "User's email address" },
});

const askDefaults = elicit(() => "Please review and update the form fields with defaults", {
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
});

const askEnums = elicit(() => "Please select options from the enum fields", {
  untitledSingle: { type: "string", enum: choices },
  titledSingle: { type: "string", oneOf: titled },
  legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
  untitledMulti: { type: "array", items: { type: "string", enum: choices } },
  titledMulti: { type: "array", items: { anyOf: titled } },
});

const reconnect: Call = async (_args, { closeStream }) => {
  closeStream?.();
  await pause(100);
  return { content: [text("Reconnection test completed successfully.")] };
};

const nameForm = (message: string) => form(message, { name: { type: "string" } }, ["name"]);

const said = (answer: Members | undefined): string => JSON.stringify(answer?.["content"] ?? answer ?? {});

const asks =
  (questions: Parameters<Request["ask"]>[0], prefix = "Answered"): Call =>
  async (_args, { ask }) => {
    const answers = await ask(questions);
    return {
      content: [
        text(
          `${prefix}: ${Object.keys(questions)
            .map((key) => said(answers[key]))
            .join(" ")}`,
        ),
      ],
    };
  };

const roots = { method: "roots/list", params: {} } as const;

const inRounds: Call = async (_args, { ask }) => {
  const { step1 } = await ask({ step1: nameForm("Step 1: What is your name?") });
  const color = form("Step 2: What is your favorite color?", { color: { type: "string" } }, ["color"]);
  const { step2 } = await ask({ step2: color });
  return { content: [text(`${said(step1)} ${said(step2)}`)] };
};

const asksWhatItCan: Call = async (args, request) => {
  const questions = {
    ...(request.canAsk("elicitation/create") ? { user_name: nameForm("What is your name?") } : {}),
    ...(request.canAsk("sampling/createMessage") ? { greeting: sampling("Generate a greeting", 50) } : {}),
    ...(request.canAsk("roots/list") ? { client_roots: roots } : {}),
  };
  return asks(questions)(args, request);
};

const confirmation = form("Please confirm", { ok: { type: "boolean" } }, ["ok"]);

/** Of revision 2026-07-28: what they ask for ends the call, and its answer begins it anew. */
const asking: Readonly<Record<string, Call>> = {
  test_input_required_result_elicitation: asks({ user_name: nameForm("What is your name?") }, "Hello"),
  test_input_required_result_sampling: asks({ capital_question: sampling("What is the capital of France?", 100) }),
  test_input_required_result_list_roots: asks({ client_roots: roots }),
  test_input_required_result_request_state: asks({ confirm: confirmation }, "state-ok"),
  test_input_required_result_tampered_state: asks({ confirm: confirmation }),
  test_input_required_result_multiple_inputs: asks({
    user_name: nameForm("What is your name?"),
    greeting: sampling("Generate a greeting", 50),
    client_roots: roots,
  }),
  test_input_required_result_multi_round: inRounds,
  test_input_required_result_capabilities: asksWhatItCan,
  test_missing_capability: asks({ greeting: sampling("Generate a greeting", 50) }),
  test_streaming_elicitation: asks({ user_name: nameForm("What is your name?") }),
  test_logging_tool: inSteps(logStep, "Logged."),
};

const tools: Readonly<Record<string, Fixture>> = {
  ...Object.fromEntries(Object.entries(asking).map(([name, call]) => [name, { description: "Asks.", call }])),
  test_simple_text: {
    description: "Returns text.",
    call: says(text("This is a simple text response for testing.")),
  },
  test_image_content: { description: "Returns an image.", call: says(image) },
  test_audio_content: {
    description: "Returns audio.",
    call: says({ type: "audio", data: wave, mimeType: "audio/wav" }),
  },
  test_embedded_resource: {
    description: "Returns a resource.",
    call: says(embedded("test://embedded-resource", "This is an embedded resource content.")),
  },
  test_multiple_content_types: {
    description: "Returns several contents.",
    call: says(
      text("Multiple content types test:"),
      image,
      embedded("test://mixed-content-resource", '{"test":"data"}'),
    ),
  },
  test_tool_with_logging: { description: "Logs three lines.", call: inSteps(logStep, "Logged.") },
  test_tool_with_progress: { description: "Reports progress.", call: inSteps(progressStep, "Done.") },
  test_error_handling: {
    description: "Fails.",
    call: async () => ({
      isError: true,
      content: [text("This tool intentionally returns an error for testing")],
    }),
  },
  test_sampling: {
    description: "Samples.",
    properties: { prompt: { type: "string" } },
    required: ["prompt"],
    call: sample,
  },
  test_elicitation: {
    description: "Asks the user.",
    properties: { message: { type: "string" } },
    required: ["message"],
    call: askUser,
  },
  test_elicitation_sep1034_defaults: { description: "Asks with defaults.", call: askDefaults },
  test_elicitation_sep1330_enums: { description: "Asks with choices.", call: askEnums },
  test_reconnection: { description: "Closes its stream before it answers.", call: reconnect },
};

const schemaTool: ToolEntry["inputSchema"] = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "address",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  allOf: [{ anyOf: [{ required: ["name"] }, { required: ["address"] }] }],
  if: { required: ["address"] },
  then: { required: ["name"] },
  else: {},
  additionalProperties: false,
};

const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const entries: readonly ToolEntry[] = [
  ...Object.entries(tools).map(([name, { description, properties = {}, required = [] }]) => ({
    name,
    title: name,
    description,
    inputSchema: { type: "object" as const, properties, required },
    annotations: hints,
  })),
  {
    name: "json_schema_2020_12_tool",
    title: "Schema",
    description: "Has a schema of 2020-12.",
    inputSchema: schemaTool,
    annotations: hints,
  },
];

const contentOf = (uri: string) => {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id !== undefined) {
    const data = { id, templateTest: true, data: `Data for ID: ${id}` };
    return { uri, mimeType: "application/json", text: JSON.stringify(data) };
  }
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: pixel };
  if (uri === "test://static-text") {
    return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
  }
  return uri === "test://watched-resource" ? { uri, mimeType: "text/plain", text: "Watched." } : null;
};

type Content = GetPromptResult["messages"][number]["content"];

const prompts: Readonly<Record<string, (args: Readonly<Record<string, string>>) => readonly Content[]>> = {
  test_simple_prompt: () => [text("This is a simple prompt for testing.")],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
  test_prompt_with_embedded_resource: ({ resourceUri = "" }) => [
    embedded(resourceUri, "Embedded resource content for testing."),
    text("Please process the embedded resource above."),
  ],
  test_prompt_with_image: () => [image, text("Please analyze the image above.")],
};

const askingPrompt = "test_input_required_result_prompt";

const promptArguments: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
};

export const conformanceFixtures: McpSurface = {
  listTools: async () => entries,
  callTool: async (name, args, request) => {
    const found = Object.hasOwn(tools, String(name)) ? tools[String(name)] : undefined;
    return found === undefined ? null : found.call((args ?? {}) as Members, request);
  },
  listResources: async () =>
    ["static-text", "static-binary", "watched-resource"].map((name) => ({ name, uri: `test://${name}` })),
  listTemplates: async () => [{ name: "template", uriTemplate: "test://template/{id}/data" }],
  readResource: async (uri) => {
    const content = contentOf(uri);
    return content === null ? null : { contents: [content] };
  },
  listPrompts: async () =>
    [...Object.keys(prompts), askingPrompt].map((name) => ({
      name,
      description: name,
      arguments: (promptArguments[name] ?? []).map((one) => ({ name: one, description: one, required: true })),
    })),
  getPrompt: async (name, args, { ask }) => {
    if (name === askingPrompt) {
      const question = form("What context should the prompt use?", { context: { type: "string" } }, ["context"]);
      const { user_context: context } = await ask({ user_context: question });
      return { messages: [{ role: "user", content: text(said(context)) }] };
    }
    const contents = Object.hasOwn(prompts, name) ? prompts[name]?.(args) : undefined;
    return contents === undefined ? null : { messages: contents.map((content) => ({ role: "user", content })) };
  },
  complete: async ({ name }, argument, value) =>
    promptArguments[name]?.includes(argument) === true
      ? ["paris", "park"].filter((one) => one.startsWith(value))
      : null,
  speaks: (tool) => Object.hasOwn(tools, String(tool)),
};
