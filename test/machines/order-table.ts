/** The twenty moves of an order, written out (decision 4; wire contract 4.1), in the order of `allowed_next`. */
export const nextOf: Readonly<Record<string, readonly string[]>> = {
  draft: ["submitted", "cancelled"],
  submitted: ["pending_approval", "approved", "cancelled", "failed"],
  pending_approval: ["approved", "rejected", "cancelled"],
  approved: ["in_progress", "cancelled"],
  rejected: ["draft"],
  in_progress: ["syncing", "failed", "cancelled"],
  syncing: ["booked", "failed"],
  completed: [],
  failed: ["draft"],
  cancelled: [],
  booked: ["completed", "unbooked"],
  unbooked: [],
};
