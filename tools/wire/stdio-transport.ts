import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { type BodyLimits, parseJson } from "../../protocol/neutral/json-input.ts";
import { unreadError } from "../../protocol/jsonrpc/answers.ts";
import { failure, type RpcAnswer } from "../../protocol/jsonrpc/message.ts";
import { type Refusal, Refused, refuse } from "../../protocol/neutral/refusals.ts";
import { carried, messageOf } from "./message.ts";

const newline = 0x0a;

const noUtf8 = failure(null, -32700, "The message is not valid UTF-8.");

const unread = (refusal: Refusal): RpcAnswer => {
  const { code, message } = unreadError(refusal).error;
  return failure(null, code, message);
};

/** Null: a blank line. */
const readLine = (
  line: Buffer,
  limits: BodyLimits,
): { readonly message: JSONRPCMessage } | { readonly refused: RpcAnswer } | null => {
  if (!isUtf8(line)) return { refused: noUtf8 };
  const text = line.toString("utf8");
  if (text.trim() === "") return null;
  try {
    const read = messageOf(parseJson(text, limits));
    return "message" in read
      ? { message: carried(read.message) }
      : { refused: failure(read.id, read.malformed.code, read.malformed.message) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { refused: unread(error.refusal) };
  }
};

/**
 * MCP over a pair of streams, one message a line, under the limits of an HTTP body. The SDK's own transport ignores
 * what is no message and stops at a line that is too long; this one refuses either and goes on.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #limits: BodyLimits;
  #pieces: Buffer[] = [];
  /** The text of a line that is too long is not kept. */
  #length = 0;

  constructor(input: Readable, output: Writable, limits: BodyLimits) {
    this.#input = input;
    this.#output = output;
    this.#limits = limits;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#take);
    this.#input.on("error", this.#fail);
  }

  async close(): Promise<void> {
    this.#input.off("data", this.#take);
    this.#input.off("error", this.#fail);
    this.#input.pause();
    this.#pieces = [];
    this.onclose?.();
  }

  send(message: JSONRPCMessage | RpcAnswer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#output.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#output.once("drain", resolve);
    });
  }

  readonly #fail = (error: Error): void => this.onerror?.(error);

  readonly #take = (chunk: Buffer): void => {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      this.#hold(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
  };

  #hold(piece: Buffer): void {
    const before = this.#length;
    this.#length += piece.length;
    if (this.#length <= this.#limits.bytes) {
      this.#pieces.push(piece);
      return;
    }
    this.#pieces = [];
    if (before > this.#limits.bytes) return;
    void this.send(unread(refuse("body_too_large")));
  }

  #endLine(): void {
    const line = Buffer.concat(this.#pieces);
    const isWhole = line.length === this.#length;
    this.#pieces = [];
    this.#length = 0;
    const read = isWhole ? readLine(line, this.#limits) : null;
    if (read === null) return;
    if ("refused" in read) void this.send(read.refused);
    else this.onmessage?.(read.message);
  }
}
