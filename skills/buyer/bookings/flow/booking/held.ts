import { isHeld } from "../../record.ts";
import { parked } from "../parking.ts";
import type { FlowSession } from "../session.ts";
import { settleLine } from "./book.ts";

/** Of a job that waits for a person, or is over otherwise. */
export const hearHeld = async (session: FlowSession): Promise<void> => {
  for (const line of session.job().recommendations.filter(isHeld)) await settleLine(session, line);
  await session.commit((job) => parked(job, session.nowMs()));
};
