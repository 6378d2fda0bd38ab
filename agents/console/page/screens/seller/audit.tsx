import * as seller from "../../agent/seller.generated.ts";
import { AuditPage } from "../audit/screen.tsx";

export const AuditScreen = () => <AuditPage list={seller.listAudit} verify={seller.verifyAudit} />;
