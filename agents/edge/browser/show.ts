import { notify } from "./notify.ts";
import type { AdSlot, Bids, SlotBid } from "./page-state.ts";

interface GptSlot {
  addService(service: unknown): GptSlot;
  setTargeting(key: string, value: string): GptSlot;
  clearTargeting?(key: string): GptSlot;
}
interface Googletag {
  cmd: { push(job: () => void): void };
  defineSlot(path: string, sizes: readonly (readonly [number, number])[], id: string): GptSlot | null;
  pubads(): { getSlots(): (GptSlot & { getSlotElementId(): string })[]; refresh(slots: readonly GptSlot[]): void };
  enableServices(): void;
  display(id: string): void;
}

const keys = ["hb_pb", "hb_bidder", "hb_adid", "hb_deal"] as const;

const setTargeting = (target: GptSlot, slot: AdSlot, bid: SlotBid | undefined): void => {
  for (const [key, value] of Object.entries(slot.targeting)) target.setTargeting(key, value);
  for (const [key, value] of Object.entries(bid?.targeting ?? {})) target.setTargeting(key, value);
  for (const key of keys) {
    const value = bid?.[key];
    if (value !== undefined) target.setTargeting(key, value);
    // A slot that is shown again must not carry the last bid's price or deal.
    else target.clearTargeting?.(key);
  }
};

const throughAdServer = (googletag: Googletag, slots: readonly AdSlot[], bids: Bids): void => {
  googletag.cmd.push(() => {
    const known = new Map(
      googletag
        .pubads()
        .getSlots()
        .map((slot) => [slot.getSlotElementId(), slot as GptSlot]),
    );
    const again: GptSlot[] = [];
    for (const slot of slots) {
      const old = known.get(slot.div_id);
      const target = old ?? googletag.defineSlot(slot.gam_unit_path, slot.formats, slot.div_id);
      if (target === null) continue;
      setTargeting(target, slot, bids[slot.id]);
      if (old === undefined) target.addService(googletag.pubads());
      else again.push(old);
    }
    googletag.enableServices();
    for (const slot of slots) if (!known.has(slot.div_id)) googletag.display(slot.div_id);
    if (again.length > 0) googletag.pubads().refresh(again);
  });
};

const unmargined = "<style>:where(body){margin:0}</style>";

/** A creative runs in a frame of its own origin, so that it can neither read nor change the page. */
const intoFrame = (place: HTMLElement, bid: SlotBid): void => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-popups allow-popups-to-escape-sandbox allow-forms");
  frame.width = String(bid.w ?? 300);
  frame.height = String(bid.h ?? 250);
  frame.style.border = "0";
  frame.title = "Advertisement";
  frame.srcdoc = (bid.adm ?? "") + unmargined;
  place.replaceChildren(frame);
  notify(bid.nurl);
  notify(bid.burl);
};

const isDisplayed = ({ media_types: types }: AdSlot): boolean => types === undefined || types.includes("banner");

/**
 * Shows the bids of the given slots: through the page's ad server where there is one, else in frames. Video and native
 * ads are for the page's own player and templates, which the event `tsjs:bids` tells of them.
 */
export const showBids = (slots: readonly AdSlot[], bids: Bids): void => {
  const { googletag } = window as { googletag?: Googletag };
  if (googletag !== undefined) return throughAdServer(googletag, slots.filter(isDisplayed), bids);
  for (const slot of slots) {
    const bid = Object.hasOwn(bids, slot.id) ? bids[slot.id] : undefined;
    const place = document.getElementById(slot.div_id);
    if (place !== null && bid?.adm !== undefined && bid.mtype === undefined) intoFrame(place, bid);
  }
};
