import * as buyer from "../../agent/buyer.generated.ts";
import { AuditPage } from "../audit/screen.tsx";

export const AuditScreen = () => <AuditPage list={buyer.listAudit} verify={buyer.verifyAudit} />;
