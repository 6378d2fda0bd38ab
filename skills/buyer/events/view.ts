import type { z } from "zod";
import type { EventRow } from "../../../protocol/seam/events.ts";
import type { Loaded } from "../../../protocol/seam/operation.ts";
import type { getEvent } from "./contract.ts";

export const eventView = ({ id, body }: Pick<Loaded<EventRow>, "id" | "body">): z.input<typeof getEvent.output> => ({
  event_id: id,
  event_type: body.event_type,
  timestamp: body.timestamp,
  flow_id: body.flow_id ?? "",
  flow_type: body.flow_type ?? "",
  deal_id: body.deal_id ?? "",
  session_id: body.session_id ?? "",
  payload: { ...body.payload },
  metadata: { ...body.metadata },
});
