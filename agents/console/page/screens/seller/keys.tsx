import * as seller from "../../agent/seller.generated.ts";
import { KeysPage, rolesOfPeople } from "../keys.tsx";

export const KeysScreen = () => (
  <KeysPage
    list={seller.listApiKeys}
    create={seller.createOperatorKey}
    revoke={seller.revokeApiKey}
    roles={["viewer", "operator", "senior", "edge"]}
    question={`${rolesOfPeople} The role edge is for an edge server: it lists active deals and reports deliveries.`}
    note="Every key of buyers and operators. A secret is stored as a hash and never shown again."
    forOthers={{ path: "buyers", label: "Buyers", what: "A buyer's key is made under" }}
  />
);
