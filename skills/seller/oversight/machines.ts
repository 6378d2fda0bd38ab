import { approvalMachine } from "../../../machines/approval/machine.ts";
import { bookingMachine } from "../../../machines/booking/machine.ts";
import { changeRequestMachine } from "../../../machines/change-request/machine.ts";
import { dealMachine } from "../../../machines/deal/machine.ts";
import { negotiationMachine } from "../../../machines/negotiation/machine.ts";
import { orderMachine } from "../../../machines/order/machine.ts";
import { proposalMachine } from "../../../machines/proposal/machine.ts";
import { quoteMachine } from "../../../machines/quote/machine.ts";
import { type MachineKind, meanings } from "./meanings.ts";

interface Drawn {
  readonly root: {
    readonly initial: { readonly target: readonly { readonly key: string }[] };
    readonly states: States;
  };
}

type States = Readonly<
  Record<
    string,
    {
      readonly key: string;
      readonly type: string;
      readonly transitions: ReadonlyMap<string, readonly { readonly target?: readonly { readonly key: string }[] }[]>;
    }
  >
>;

const machines = {
  deal: dealMachine,
  order: orderMachine,
  quote: quoteMachine,
  negotiation: negotiationMachine,
  proposal: proposalMachine,
  approval: approvalMachine,
  change_request: changeRequestMachine,
  booking: bookingMachine,
} as unknown as Readonly<Record<MachineKind, Drawn>>;

/** A move that leaves the record in its state is a move to itself. */
export const drawn = (kind: MachineKind) => {
  const { root } = machines[kind];
  const { states: texts, movedBy } = meanings[kind];
  const states = Object.values(root.states);
  const moves = states.flatMap(({ key: from, transitions }) =>
    [...transitions].flatMap(([event, ways]) =>
      [...new Set(ways.map(({ target }) => target?.[0]?.key ?? from))].map((to) => ({
        from,
        to,
        event,
        who: movedBy[event] ?? "agents",
      })),
    ),
  );
  return {
    initial: root.initial.target[0]?.key ?? states[0]?.key ?? "",
    states: states.map(({ key, type }) => ({ name: key, meaning: texts[key] ?? "", final: type === "final" })),
    moves,
  };
};
