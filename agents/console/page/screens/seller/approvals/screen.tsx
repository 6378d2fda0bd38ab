import { useLocation } from "preact-iso";
import { Empty } from "../../../parts/states.tsx";
import type { ScreenProps } from "../../screen.ts";
import { Decision } from "./decision.tsx";
import { Inbox } from "./inbox.tsx";

export const ApprovalsScreen = ({ id }: ScreenProps) => {
  const { query } = useLocation();
  const isHistory = query["view"] === "history";
  return (
    <div class={`split${id === null ? "" : " is-open"}`}>
      <Inbox openId={id} isHistory={isHistory} />
      {id === null ? (
        <div class="detail">
          <Empty title="Choose an approval.">The keys j and k move through the list, Enter opens.</Empty>
        </div>
      ) : (
        <Decision key={id} id={id} />
      )}
    </div>
  );
};
