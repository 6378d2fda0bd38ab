import { describeCases } from "./describe-cases.ts";
import { groupsOf } from "./groups.ts";

describeCases(groupsOf.orders, "some doors");
