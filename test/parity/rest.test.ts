import { describeParity } from "./parity.ts";

describeParity("rest");
