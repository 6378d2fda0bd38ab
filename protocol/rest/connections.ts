import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What is known of a connection: the last answer until all of it has left, and whether its request had not arrived. */
interface Connection {
  answer: ServerResponse | null;
  answeredEarly: boolean;
}

const connections = new WeakMap<Socket, Connection>();

const connectionOf = (socket: Socket, onLost: (error: Error) => void): Connection => {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const made: Connection = { answer: null, answeredEarly: false };
  connections.set(socket, made);
  socket.on("error", (error) => {
    if (made.answer !== null && !made.answer.writableFinished) onLost(error);
  });
  return made;
};

/** A request has come: `onLost` learns of it when the connection breaks before the answer has left. */
export const beginAnswer = (request: IncomingMessage, answer: ServerResponse, onLost: (error: Error) => void): void => {
  const connection = connectionOf(request.socket, onLost);
  connection.answer = answer;
  connection.answeredEarly = false;
};

/** The answer was written. One that has left is let go of: a silent connection would hold it as long as it lasts. */
export const endAnswer = (request: IncomingMessage, answer: ServerResponse): void => {
  const connection = connections.get(request.socket);
  if (connection === undefined) return;
  if (!request.complete) connection.answeredEarly = true;
  if (connection.answer === answer && answer.writableFinished) connection.answer = null;
};

/**
 * Whether the last request on the connection was answered before its body had arrived. When the rest never comes,
 * nothing more may be written: the caller would take it for the answer to its next request.
 */
export const wasAnsweredEarly = (socket: Socket): boolean => connections.get(socket)?.answeredEarly === true;
