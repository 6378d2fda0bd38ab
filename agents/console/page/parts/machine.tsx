import * as seller from "../agent/seller.generated.ts";
import { useRead } from "../agent/read.ts";
import { statusWords, wordOf } from "../words.ts";
import { Shown } from "./states.tsx";

type Kind = "deal" | "order" | "quote" | "negotiation" | "change_request";

const plainWord = (name: string): string => wordOf(statusWords, name);

/** The states of a record: where it is, and where it can go from there. */
interface MachineStatesProps {
  readonly kind: Kind;
  readonly state: string;
  /** What the state is called here, where it has a nearer name. */
  readonly called?: string;
}

export const MachineStates = ({ kind, state, called }: MachineStatesProps) => {
  const read = useRead(seller.describeMachine, { kind });
  return (
    <Shown read={read} lines={2}>
      {({ states, moves }) => {
        const next = moves.filter(({ from }) => from === state);
        return (
          <ul class="states">
            {states.map(({ name, meaning }) => {
              const move = next.find(({ to }) => to === name);
              const role = name === state ? "here" : move === undefined ? "away" : "next";
              return (
                <li key={name} class={role}>
                  <b>{role === "here" ? (called ?? plainWord(name)) : plainWord(name)}</b>
                  <span class="muted small">
                    {role === "here" ? `Now. ${meaning}` : role === "next" ? `Next, by ${move?.who ?? ""}` : ""}
                  </span>
                </li>
              );
            })}
          </ul>
        );
      }}
    </Shown>
  );
};
