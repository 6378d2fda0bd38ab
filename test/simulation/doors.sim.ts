import { describeCases } from "../parity/describe-cases.ts";
import { groupsOf } from "../parity/groups.ts";

describeCases(Object.values(groupsOf).flat(), "all doors");
