import { buyerRequirements } from "./requirements/buyer.ts";
import { edgeRequirements } from "./requirements/edge.ts";
import { sellerRequirements } from "./requirements/seller.ts";
import type { Requirement } from "./requirements/table.ts";

/*
 * One id for every observable sentence of the three specification documents, in `requirements/{seller,buyer,edge}.ts`.
 * A row of a table is a sentence; a sentence that asks for several things has several ids; one that is said in several
 * places has one id that names all of them.
 *
 * How to cite. A test cites what it truly observes, and nothing else; a rule that no door of the product reaches yet is
 * not observed, whatever its machine's own tests say:
 *
 *   - in a vitest test, as the first statement of the test's own function: `covers("seller.quotes.expires-at");`
 *   - in a JSON case, as a member beside `title`: `"requirements": ["seller.quotes.expires-at"]`
 *     (test/skills/<group>/<operation>/…/*.json at the top, test/edge/cases/*.json in each item of `cases`).
 *
 * Ids are written out as plain string literals, so that a search for an id finds its tests.
 *
 * How to shrink the list. `requirements-missing.json` holds the ids that no test cites yet. Cite an id, take it out of
 * the list, and lower the bound of its document in `coverage.test.ts` by one. The test wants all three, so that the
 * list can only become shorter. A new id needs a test that cites it.
 */

export const requirements = { ...sellerRequirements, ...buyerRequirements, ...edgeRequirements };

export type RequirementId = keyof typeof requirements;

const known: Readonly<Record<string, Requirement>> = requirements;

/** `coverage.test.ts` reads the calls. */
export const covers = (...ids: readonly RequirementId[]): void => {
  for (const id of ids) if (known[id] === undefined) throw new Error(`${id} is no requirement`);
};
