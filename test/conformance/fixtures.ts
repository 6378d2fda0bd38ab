import {
  type CallToolResult,
  CreateMessageResultSchema,
  type ElicitRequestFormParams,
  type GetPromptResult,
} from "@modelcontextprotocol/sdk/types.js";
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

const logStep = ({ extra }: Request, place: number): Promise<void> => {
  const data = ["Tool execution started", "Tool processing data", "Tool execution completed"][place];
  return extra.sendNotification({ method: "notifications/message", params: { level: "info", data } });
};

const progressStep = async ({ extra }: Request, place: number): Promise<void> => {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return;
  await extra.sendNotification({
    method: "notifications/progress",
    params: { progressToken, progress: place * 50, total: 100 },
  });
};

const sample: Call = async ({ prompt }, { extra }) => {
  const messages = [{ role: "user" as const, content: text(String(prompt)) }];
  const request = { method: "sampling/createMessage" as const, params: { messages, maxTokens: 100 } };
  const { content } = await extra.sendRequest(request, CreateMessageResultSchema);
  return { content: [text(`LLM response: ${content.type === "text" ? content.text : ""}`)] };
};

const elicit =
  (message: (args: Members) => string, properties: ElicitRequestFormParams["requestedSchema"]["properties"]): Call =>
  async (args, { server, extra }) => {
    const required = Object.keys(properties).filter((name) => ["username", "email"].includes(name));
    const requestedSchema = { type: "object" as const, properties, ...(required.length === 0 ? {} : { required }) };
    const options = { relatedRequestId: extra.requestId };
    const { action, content } = await server.elicitInput(
      { mode: "form", message: message(args), requestedSchema },
      options,
    );
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

const reconnect: Call = async (_args, { extra }) => {
  extra.closeSSEStream?.();
  await pause(100);
  return { content: [text("Reconnection test completed successfully.")] };
};

const tools: Readonly<Record<string, Fixture>> = {
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
  $defs: { address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
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
    Object.keys(prompts).map((name) => ({
      name,
      description: name,
      arguments: (promptArguments[name] ?? []).map((one) => ({ name: one, description: one, required: true })),
    })),
  getPrompt: async (name, args) => {
    const contents = Object.hasOwn(prompts, name) ? prompts[name]?.(args) : undefined;
    return contents === undefined ? null : { messages: contents.map((content) => ({ role: "user", content })) };
  },
  complete: async ({ name }, argument, value) =>
    promptArguments[name]?.includes(argument) === true
      ? ["paris", "park"].filter((one) => one.startsWith(value))
      : null,
  speaks: (tool) => Object.hasOwn(tools, String(tool)),
};
