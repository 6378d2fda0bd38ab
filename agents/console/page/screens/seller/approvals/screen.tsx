import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import { announce } from "../../../announce.ts";
import { plural } from "../../../form.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { Empty } from "../../../parts/states.tsx";
import { useRead } from "../../../agent/read.ts";
import { agent } from "../../../agent/session.ts";
import type { Screen, ScreenProps } from "../../screen.ts";
import { Decision } from "./decision.tsx";
import { Inbox } from "./inbox.tsx";

const useWaiting = (): number | null => {
  const read = useRead(seller.listApprovals, { status: ["pending"], limit: 1 }, ["approval."], false);
  const waiting = read.output?.waiting.count ?? null;
  useEffect(() => {
    document.title = waiting === null || waiting === 0 ? `Parley ${agent}` : `(${waiting}) Parley ${agent}`;
    if (waiting !== null) announce(`${plural(waiting, "approval")} waiting.`);
  }, [waiting]);
  return waiting;
};

const ApprovalsScreen = ({ id }: ScreenProps) => {
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

export const approvals: Screen = {
  path: "approvals",
  label: "Approvals",
  key: "a",
  hasRows: true,
  component: ApprovalsScreen,
  useBadge: useWaiting,
};
