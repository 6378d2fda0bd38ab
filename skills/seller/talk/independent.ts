import { isOneOf, words } from "../../talk/reader/word-lists.ts";
import { idsIn } from "./memory.ts";
import { type Request, says } from "./requests.ts";

/** Beside an order they are asked for themselves, whatever becomes of it. */
const independent = words("list price availability quote deals quotes packages hand_over spend summary decision");

const ofProduct = words("price availability quote list");

/** "Book it. Would CTV be the smarter choice?" weighs the order itself. */
const weighing = words("better best smarter wiser choice instead rather mistake wrong");

/** What an order is for: its products, and the ids that its option holds. */
interface Ordered {
  readonly products: readonly string[];
  readonly ids: readonly unknown[];
}

/** "Request it. And cancel DEMO-2": another deal, by its id or its product. */
const isOfOtherDeal = ({ command, said }: Request, { ids, products }: Ordered): boolean => {
  const others = idsIn(said);
  return (
    isOneOf(command, "change cancel") &&
    (said.allIds.length > 0
      ? !said.allIds.some((id) => ids.includes(id))
      : others.length * products.length > 0 && !others.some((id) => products.includes(id)))
  );
};

/** A question about something else than what is ordered; what it answers cannot change the order. */
export const isIndependent = (request: Request, order: Ordered): boolean => {
  if (request.command === "thanks") return request.said.entities.length === 0;
  if (isOfOtherDeal(request, order)) return !request.isDoubtful;
  const named = idsIn(request.said);
  const isOther =
    named.length > 0 ? named.every((id) => !order.products.includes(id)) : !ofProduct.has(request.command);
  const isMarked = request.parts.every(({ hasMark }) => hasMark);
  // "Accept. What is the total?" weighs it, and "book it, then give me the total" does not.
  const isSum = isOneOf(request.command, "spend summary");
  // "Book it. And quote me 500k native" is two wishes; "book it. CTV, 1M in July" corrects the first.
  const isQuote = request.command === "quote" && named.length > 0 && says(request, "quote");
  const isAsked = isSum
    ? !request.isQuestion
    : isMarked || isQuote || isOneOf(request.command, "hand_over deals quotes");
  const isWeighed = request.parts.some(({ from, to }) =>
    request.scan.tokens.slice(from, to).some(({ word }) => weighing.has(word)),
  );
  // "Book it. Can you put our campaign's name on it?" is to go with the booking.
  const isNoted = request.said.notes.length > 0;
  const isPlain = !request.isDoubtful && !isWeighed && !isNoted && request.said.price === null;
  return independent.has(request.command) && isOther && isAsked && isPlain;
};
