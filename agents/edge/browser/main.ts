import { startClickGuard } from "./click-guard.ts";
import { startConsent } from "./consent.ts";
import { startPrebidAdapter } from "./prebid-adapter.ts";
import { startPageBids } from "./page-bids.ts";

startClickGuard();
startPageBids();
startPrebidAdapter();
// Consent platforms register while the page loads; the cookies matter from the next request on.
if (document.readyState === "complete") startConsent();
else window.addEventListener("load", startConsent, { once: true });
