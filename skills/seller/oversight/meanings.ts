export const machineKinds = [
  "deal",
  "order",
  "quote",
  "negotiation",
  "proposal",
  "approval",
  "change_request",
  "booking",
] as const;

export type MachineKind = (typeof machineKinds)[number];

/** `agents`: a rule of the seller's or the buyer's agent, without a person. */
export const movers = ["buyer", "seller", "either", "agents", "time"] as const;

type Mover = (typeof movers)[number];

interface Meanings {
  readonly states: Readonly<Record<string, string>>;
  readonly movedBy: Readonly<Record<string, Mover>>;
}

export const meanings: Readonly<Record<MachineKind, Meanings>> = {
  deal: {
    states: {
      proposed: "Booked and held, and not active yet.",
      active: "Running, or waits for its first day.",
      rejected: "Refused or cancelled; what it held is free again.",
      expired: "Nobody activated it in time; what it held is free again.",
      completed: "Its flight has ended.",
    },
    movedBy: {
      ACTIVATE: "seller",
      REJECT: "seller",
      CANCEL: "either",
      APPROVE: "seller",
      AMEND: "either",
      UNBOOK: "seller",
      EXPIRE: "time",
      COMPLETE: "time",
    },
  },
  order: {
    states: {
      draft: "Not submitted yet.",
      submitted: "Waits for the seller to take it up.",
      pending_approval: "Waits for the seller's approval.",
      approved: "Approved, and not booked yet.",
      rejected: "Refused by the seller; it can be reopened.",
      in_progress: "The seller works on it.",
      syncing: "Is being written to the ad server.",
      booked: "Booked; its deal is active.",
      unbooked: "Taken back from the ad server.",
      completed: "Fulfilled.",
      failed: "Failed; it can be reopened.",
      cancelled: "Cancelled.",
    },
    movedBy: {
      SUBMIT: "either",
      REQUEST_APPROVAL: "seller",
      APPROVE: "seller",
      REJECT: "seller",
      EXECUTE: "seller",
      SYNC: "seller",
      BOOK: "seller",
      COMPLETE: "seller",
      UNBOOK: "seller",
      CANCEL: "either",
      FAIL: "seller",
      REOPEN: "seller",
    },
  },
  quote: {
    states: {
      available: "Its price holds until it expires; nothing is reserved.",
      booked: "A deal was booked from it.",
      expired: "Its time is over.",
      declined: "Taken back by the seller.",
    },
    movedBy: {
      BOOK: "buyer",
      DECLINE: "seller",
      OPEN_NEGOTIATION: "buyer",
      CLOSE_NEGOTIATION: "agents",
      EXPIRE: "time",
    },
  },
  negotiation: {
    states: {
      active: "The buyer's next offer, or the seller's held answer, is awaited.",
      accepted: "Agreed; the price can be booked.",
      rejected: "Ended without an agreement.",
      expired: "Nobody answered in time.",
    },
    movedBy: {
      OFFER: "buyer",
      ACCEPT: "buyer",
      REJECT: "buyer",
      RELEASE: "seller",
      REFUSE: "seller",
      COUNTER: "seller",
      EXPIRE: "time",
    },
  },
  proposal: {
    states: {
      initialized: "Not evaluated yet.",
      pending_approval: "Waits for an operator of the seller.",
      counter_pending: "The seller offers other terms, and the buyer answers.",
      accepted: "Agreed; it can be booked.",
      rejected: "Refused, withdrawn, or not answered in time.",
      failed: "Could not be evaluated; errors say why.",
    },
    movedBy: {
      ACCEPT: "either",
      COUNTER: "either",
      HOLD: "agents",
      REJECT: "either",
      FAIL: "agents",
      RELEASE: "seller",
      BOOK: "buyer",
      EXPIRE: "time",
    },
  },
  approval: {
    states: {
      pending: "Waits for an operator's decision.",
      approved: "Approved; its flow has gone on.",
      rejected: "Refused; its flow has ended.",
      timed_out: "Nobody decided in time, which counts as a refusal.",
    },
    movedBy: { DECIDE: "seller", TIME_OUT: "time" },
  },
  change_request: {
    states: {
      pending: "Raised, and not checked yet.",
      validating: "Is being checked.",
      pending_approval: "Waits for an operator's review; nothing is changed yet.",
      approved: "Approved: a minor change is written by then, any other waits to be applied.",
      rejected: "Refused; nothing was changed.",
      withdrawn: "Taken back before its review; nothing was changed.",
      applied: "Written to the order and its deal.",
      failed: "Not valid; nothing was changed.",
    },
    movedBy: {
      VALIDATE: "agents",
      JUDGE: "agents",
      APPROVE: "seller",
      REJECT: "seller",
      WITHDRAW: "buyer",
      APPLY: "seller",
    },
  },
  booking: {
    states: {
      pending: "Not started yet.",
      allocating: "The budget is being split over channels.",
      researching: "Sellers are asked for products and prices.",
      negotiating: "Prices are negotiated.",
      choosing: "The best lines are being chosen.",
      awaiting_approval: "The recommended lines wait for approval.",
      booking: "The approved lines are being booked.",
      completed: "Done; freed money can be planned anew.",
      failed: "Ended without a booking, or cancelled.",
    },
    movedBy: {
      START: "agents",
      ADVANCE: "agents",
      ALLOCATED: "agents",
      RESEARCHED: "agents",
      NEGOTIATED: "agents",
      RECOMMEND: "agents",
      WAIT: "agents",
      COMPLETE: "agents",
      FAIL: "agents",
      APPROVE: "buyer",
      CANCEL: "buyer",
      REPLAN: "buyer",
    },
  },
};
