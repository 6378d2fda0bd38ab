import * as buyer from "../../agent/buyer.generated.ts";
import { KeysPage, rolesOfPeople } from "../keys.tsx";

export const KeysScreen = () => (
  <KeysPage
    list={buyer.listOperatorKeys}
    create={buyer.createOperatorKey}
    revoke={buyer.revokeOperatorKey}
    roles={["viewer", "operator", "senior"]}
    question={rolesOfPeople}
    note="The keys of people. A secret is stored as a hash and never shown again."
  />
);
