/** In the order of `allowed_next`. */
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
