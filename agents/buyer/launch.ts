import type { Log } from "../../protocol/ports.ts";
import { buyerSkills } from "../card-skills.ts";
import { type Launched, launch, systemClock } from "../launch.ts";
import type { Place } from "../place.ts";
import { createBuyer } from "./app.ts";
import { type BuyerConfig, buyerSettingsOf } from "./config.ts";

export interface BuyerLaunch {
  readonly config: BuyerConfig;
  readonly host: string;
  readonly port: number;
  readonly place: Place;
  readonly log: Log;
}

const instructions =
  "Buys advertising for an operator. create_booking turns a campaign brief into booked deals across the configured " +
  "sellers, within its budget; get_booking follows the job. Every tool needs an operator key.";

/** Starts the buyer on its store, with every door and its booking worker. */
export const launchBuyer = (options: BuyerLaunch): Promise<Launched> =>
  launch({
    host: options.host,
    port: options.port,
    place: options.place,
    log: options.log,
    config: options.config,
    compose: (store, listenUrl) => {
      const settings = buyerSettingsOf(options.config);
      const publicUrl = (options.config.agentUrl === "" ? listenUrl : options.config.agentUrl).replace(/\/+$/, "");
      return {
        agent: createBuyer({ store, settings, clock: systemClock, log: options.log }),
        due: () => null,
        face: {
          displayName: "Ad Buyer Agent",
          organization: "Parley buyer",
          publicUrl,
          skills: buyerSkills,
          protocols: ["opendirect21", "a2a"],
          instructions,
          cardExtra: () => ({}),
        },
      };
    },
  });
