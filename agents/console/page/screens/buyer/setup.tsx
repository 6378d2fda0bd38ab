import * as buyer from "../../agent/buyer.generated.ts";
import { useRead } from "../../agent/read.ts";
import { plain } from "../../form.ts";
import { Card, Chip } from "../../parts/bits.tsx";
import { Page } from "../../parts/page.tsx";
import { Shown } from "../../parts/states.tsx";
import { ThisBrowser } from "../this-browser.tsx";

const steps = [
  ["Sellers", "seller_endpoints_configured", "SELLER_ENDPOINTS"],
  ["Store", "database_accessible", "DATABASE_URL"],
  ["Who buys", "identity_configured", "BUYER_AGENCY_ID"],
  ["Agent registry", "registry_configured", "AGENT_REGISTRY_URL"],
  ["Keys at sellers", "keys_can_be_stored", "SELLER_KEYS_SECRET"],
] as const;

/** The agent works without the others. */
const needed: readonly string[] = ["seller_endpoints_configured", "database_accessible", "identity_configured"];

const Mark = ({ isSet, isNeeded }: { readonly isSet: boolean; readonly isNeeded: boolean }) => {
  if (isSet) return <Chip tone="ok">set</Chip>;
  return isNeeded ? <Chip tone="warn">to do</Chip> : <Chip>optional</Chip>;
};

export const SetupScreen = () => {
  const read = useRead(buyer.getSetupStatus, {});
  return (
    <Page title="Setup" note={read.output === null ? undefined : plain(read.output.message, 300)}>
      <Shown read={read}>
        {({ checks, setup_complete: isComplete }) => (
          <Card title="What is set">
            <ul class="lines">
              {steps.map(([name, check, variable]) => (
                <li key={name}>
                  <span>
                    <Mark isSet={checks[check]} isNeeded={!isComplete && needed.includes(check)} /> {name}
                  </span>
                  {checks[check] ? null : <code class="muted">{variable}</code>}
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Shown>
      <ThisBrowser />
    </Page>
  );
};
