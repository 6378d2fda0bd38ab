import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Begin = (request: IncomingMessage, answer: ServerResponse) => unknown;

/** A request that was sent ahead of the answer to the one before it. */
interface Ahead {
  readonly request: IncomingMessage;
  readonly answer: ServerResponse;
  readonly begin: Begin;
}

/**
 * What is known of a connection: the last answer until all of it has left, whether its request had not arrived, and
 * the requests behind it, oldest first.
 */
interface Connection {
  answer: ServerResponse | null;
  answeredEarly: boolean;
  readonly ahead: Ahead[];
}

/** So many requests may wait on a connection before no more is read from it than has arrived. */
const mostAhead = 32;

const connections = new WeakMap<Socket, Connection>();

const connectionOf = (socket: Socket): Connection => {
  const known = connections.get(socket);
  if (known !== undefined) return known;
  const made: Connection = { answer: null, answeredEarly: false, ahead: [] };
  connections.set(socket, made);
  // Whoever lets a request go lets the socket be read again.
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
    // A silent connection would hold the answer as long as it lasts.
    if (connection.answer === answer) connection.answer = null;
  });
  begin(request, answer);
};

/** Begins the next request, when the answer before it has left. One behind the last answer of all is let go of. */
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
 * Answers leave in the order of their requests (RFC 9112, 9.3.2): without a turn, a caller that sends and does not
 * read would be made answers without end.
 */
export const takeTurn = (request: IncomingMessage, answer: ServerResponse, begin: Begin): void => {
  const connection = connectionOf(request.socket);
  const before = connection.answer;
  if (before === null || before.writableFinished) return beginNow(connection, request, answer, begin);
  const waiting = connection.ahead.push({ request, answer, begin });
  if (waiting === 1) before.once("finish", () => advance(connection));
  if (waiting >= mostAhead) request.socket.pause();
};

/**
 * Not where the request was answered early nor while earlier answers are owed: ours would be taken for one of them.
 */
export const canBeTold = (socket: Socket): boolean => {
  const connection = connections.get(socket);
  if (connection === undefined) return true;
  const { answer, answeredEarly, ahead } = connection;
  const isOwed = answer !== null && !answer.writableFinished && answer.req.complete;
  return !answeredEarly && !isOwed && ahead.length === 0;
};
