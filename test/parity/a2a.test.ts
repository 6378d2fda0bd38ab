import { describeParity } from "./parity.ts";

describeParity("a2a");
