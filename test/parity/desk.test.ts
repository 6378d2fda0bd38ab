import { describeCases } from "./describe-cases.ts";
import { groupsOf } from "./groups.ts";

describeCases(groupsOf.desk, "some doors");
