import type { Adcp } from "../../adcp/door.ts";
import { isMembers } from "../../neutral/json-input.ts";
import type { Members } from "../../neutral/members.ts";
import { Refused, refuse } from "../../neutral/refusals.ts";
import { type A2aWire, dataPartsIn } from "../exchange.ts";
import type { AnswerMessage } from "../executor.ts";
import type { Turn } from "../turn.ts";
import type { Heard } from "./answer.ts";

/** A client that names it sends one data part `{skill, input}`, whose text nobody reads. */
export const adcpExtension = {
  uri: "https://adcontextprotocol.org/extensions/adcp/v3",
  description: "A data part {skill, input} asks for one task of AdCP 3; {skill, parameters} is read too.",
  required: false,
} as const;

interface AskedTask {
  readonly skill: string;
  readonly args: unknown;
}

const taskIn = ({ parts }: Pick<Heard, "parts">, isProfile: boolean): AskedTask | null => {
  const named = parts.filter((part) => typeof part["skill"] === "string");
  const [part] = named;
  if (part === undefined || (isProfile && parts.length !== 1)) return null;
  const { skill, input, parameters } = part;
  return { skill: String(skill), args: isProfile ? input : (input ?? parameters) };
};

const noTask: Members = {
  code: "INVALID_REQUEST",
  message: "Send one data part {skill, input}: skill is the name of a task, input its request.",
  recovery: "correctable",
};

/** A refusal of business is an answer too: a failed A2A task would hide its code. */
const completed = (body: Members): Turn => ({ state: "completed", text: null, parts: [body] });

export const answerTask =
  (adcp: Adcp): AnswerMessage =>
  async ({ from }, heard, extensions) => {
    const task = taskIn(heard, extensions.includes(adcpExtension.uri));
    if (task === null) return completed({ adcp_error: noTask, errors: [noTask] });
    const { body } = await adcp.answer({ name: task.skill, args: task.args ?? {}, door: "a2a", from });
    return completed(body);
  };

/** Without a key nothing is answered but what the agent is capable of. */
export const checkTask =
  (adcp: Adcp): A2aWire["check"] =>
  async (_request, { kind }, given) => {
    if (kind !== "anonymous") return;
    const parts = dataPartsIn(given).filter(isMembers);
    const isOpen = parts.length > 0 && parts.every(({ skill }) => adcp.find(skill)?.isOpen === true);
    if (!isOpen) throw new Refused(refuse("authentication_required"));
  };
