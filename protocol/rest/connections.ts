import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Begin = (request: IncomingMessage, answer: ServerResponse) => unknown;

interface Ahead {
  readonly request: IncomingMessage;
  readonly answer: ServerResponse;
  readonly begin: Begin;
}

/** The answer until it has left, whether its request was incomplete, and later requests, oldest first. */
interface Connection {
  answer: ServerResponse | null;
  answeredEarly: boolean;
  readonly ahead: Ahead[];
}

/** Beyond it the socket is not read. */
const mostAhead = 32;

const connections = new WeakMap<Socket, Connection>();

const connectionOf = (socket: Socket): Connection => {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const made: Connection = { answer: null, answeredEarly: false, ahead: [] };
  connections.set(socket, made);
  // Releasing a request resumes the socket.
  socket.on("resume", () => {
    if (made.ahead.length >= mostAhead) socket.pause();
  });
  return made;
};

const beginNow = (connection: Connection, request: IncomingMessage, answer: ServerResponse, begin: Begin): void => {
  connection.answer = answer;
  connection.answeredEarly = false;
  answer.once("finish", () => {
    if (!request.complete) connection.answeredEarly = true;
    // A silent connection would keep the answer in memory.
    if (connection.answer === answer) connection.answer = null;
  });
  begin(request, answer);
};

/** Requests behind the connection's last answer are dropped. */
const advance = (connection: Connection): void => {
  const { ahead } = connection;
  const next = ahead.shift();
  if (next === undefined) return;
  const { socket } = next.request;
  if (!socket.writable) return void ahead.splice(0);
  if (ahead.length > 0) next.answer.once("finish", () => advance(connection));
  if (ahead.length === mostAhead - 1) socket.resume();
  beginNow(connection, next.request, next.answer, next.begin);
};

/**
 * Answers leave in request order (RFC 9112, 9.3.2): else a caller that sends without reading would fill memory with
 * answers.
 */
export const takeTurn = (request: IncomingMessage, answer: ServerResponse, begin: Begin): void => {
  const connection = connectionOf(request.socket);
  const before = connection.answer;
  if (before === null || before.writableFinished) return beginNow(connection, request, answer, begin);
  const waiting = connection.ahead.push({ request, answer, begin });
  if (waiting === 1) before.once("finish", () => advance(connection));
  if (waiting >= mostAhead) request.socket.pause();
};

/** Not after an early answer nor while answers are owed: ours would be taken for one of them. */
export const canBeTold = (socket: Socket): boolean => {
  const connection = connections.get(socket);
  if (connection === undefined) return true;
  const { answer, answeredEarly, ahead } = connection;
  const isOwed = answer !== null && !answer.writableFinished && answer.req.complete;
  return !answeredEarly && !isOwed && ahead.length === 0;
};
