import { signal } from "@preact/signals";
import { say } from "../../agent/talk.ts";
import { Page } from "../../parts/page.tsx";
import { type Exchange, TalkRoom } from "../talk-room.tsx";

const talked = signal<readonly Exchange[]>([]);

export const TalkScreen = () => (
  <Page
    title="Talk"
    note="Brief, ask, approve or cancel in words. What would be done is shown as a button with its terms first."
  >
    <TalkRoom
      talked={talked}
      say={say}
      them="Your buyer agent"
      example="Spend 50k on display and CTV in March 2027 for sports fans, brand awareness."
    />
  </Page>
);
