import { createBuyer } from "../../agents/buyer/app.ts";
import { openLowdbStore } from "../../storage/lowdb/driver.ts";
import { callAgent, logTo, movableClock, plainBuyer } from "./world.ts";

const { dir, sellerUrl } = JSON.parse(process.argv[2] ?? "{}") as { dir: string; sellerUrl: string };
const store = await openLowdbStore({ dir });
const sellers = [{ url: sellerUrl, key: null, headerType: "api_key" as const }];
const settings = { ...plainBuyer, sellers };
const buyer = createBuyer({ store, settings, clock: movableClock(), log: logTo([]) });

process.on("message", (message: { task: string; input: unknown }) => {
  void callAgent(buyer, "create_booking", { brief: message.input, auto_approve: true }).then((reply) =>
    process.send?.({ result: reply.output["job_id"] }),
  );
});
