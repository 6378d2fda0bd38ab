import { describeParity } from "./parity.ts";

describeParity(1);
