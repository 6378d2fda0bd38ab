import { describeCases } from "./describe-cases.ts";
import { groupsOf } from "./groups.ts";

describeCases(groupsOf.others, "some doors");
