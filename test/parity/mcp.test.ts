import { describeParity } from "./parity.ts";

describeParity("mcp");
