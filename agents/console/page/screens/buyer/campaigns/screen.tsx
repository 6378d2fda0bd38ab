import type { OutputOf } from "../../../agent/api.ts";
import { oneOf, screenOf, useAddress } from "../../../address.ts";
import * as buyer from "../../../agent/buyer.generated.ts";
import { nowMs } from "../../../clock.ts";
import { ago, plain, plural, roundMoney } from "../../../form.ts";
import { Chip } from "../../../parts/bits.tsx";
import { Filter, Page } from "../../../parts/page.tsx";
import { NothingHere } from "../../../parts/rows.tsx";
import { Search } from "../../../parts/search.tsx";
import { Empty, Shown } from "../../../parts/states.tsx";
import { Table } from "../../../parts/table.tsx";
import { useRead } from "../../../agent/read.ts";
import { canWrite } from "../../../agent/session.ts";
import { toneOf } from "../../../words.ts";
import type { ScreenProps } from "../../screen.ts";
import { CampaignPage } from "./detail.tsx";
import { currency } from "./job.ts";
import { NewBrief } from "./new-brief.tsx";
import { hasLost } from "./needy.ts";
import { jobWords, stateOf } from "./words.ts";

type Listed = OutputOf<typeof buyer.listBookings>["jobs"][number];

const statuses = ["awaiting_approval", "running", "completed", "failed"] as const;
const pageSize = 50;

const Offsets = ({ total, offset }: { readonly total: number; readonly offset: number }) => {
  const { linkTo } = useAddress();
  if (total <= pageSize) return null;
  return (
    <nav class="row" aria-label="Pages">
      {offset === 0 ? null : (
        <a class="button small" href={linkTo({ offset: offset <= pageSize ? null : String(offset - pageSize) })}>
          Newer
        </a>
      )}
      {offset + pageSize >= total ? null : (
        <a class="button small" href={linkTo({ offset: String(offset + pageSize) })}>
          Older
        </a>
      )}
    </nav>
  );
};

const offsetOf = (text: string | undefined): number => {
  const offset = Number(text ?? 0);
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : 0;
};

const Standing = ({ job }: { readonly job: Listed }) => {
  const { cancellations_waiting: waiting = 0, lost } = job;
  const isHurt = hasLost(job);
  return (
    <>
      <Chip tone={isHurt ? "warn" : toneOf(stateOf(job))}>{jobWords(stateOf(job))}</Chip>
      {isHurt ? <span class="error small block">{plural(lost?.lines ?? 0, "line")} lost</span> : null}
      {waiting === 0 ? null : <span class="small block">{plural(waiting, "cancellation")} asked for</span>}
    </>
  );
};

const noCampaign = (
  <Empty title="No campaign.">
    New brief starts one, or <code>parley book brief.json</code>.
  </Empty>
);

const CampaignList = () => {
  const { query } = useAddress();
  const status = oneOf(statuses, query["status"]);
  const { q } = query;
  const offset = offsetOf(query["offset"]);
  const read = useRead(buyer.listBookings, { status, q, limit: pageSize, offset }, [
    "campaign.",
    "booking.",
    "deal.",
    "negotiation.",
  ]);
  return (
    <Page title="Campaigns" note="A brief becomes deals; what costs money waits for you.">
      {canWrite() ? (
        <p>
          <a class="button primary" href={screenOf("campaigns", "new")}>
            New brief
          </a>
        </p>
      ) : null}
      <Search label="Find a campaign" />
      <Filter name="status" label="Status" values={statuses} wordOf={jobWords} />
      <Shown read={read}>
        {({ jobs, total }) =>
          jobs.length === 0 ? (
            <NothingHere empty={noCampaign} />
          ) : (
            <>
              <Table<Listed>
                caption="Campaigns"
                rows={jobs}
                idOf={(job) => job.job_id}
                link={(job) => screenOf("campaigns", job.job_id)}
                columns={[
                  { name: "Campaign", isLead: true, cell: (job) => plain(job.campaign_name) },
                  { name: "Status", cell: (job) => <Standing job={job} /> },
                  { name: "Budget", isNumber: true, cell: (job) => roundMoney(job.budget, currency) },
                  { name: "Booked", isNumber: true, cell: (job) => roundMoney(job.spent, currency) },
                  { name: "Sent", cell: (job) => ago(job.created_at, nowMs.value) },
                ]}
              />
              <p class="muted">{plural(total, "campaign")}</p>
              <Offsets total={total} offset={offset} />
            </>
          )
        }
      </Shown>
    </Page>
  );
};

export const CampaignsScreen = ({ id }: ScreenProps) =>
  id === null ? <CampaignList /> : id === "new" ? <NewBrief /> : <CampaignPage key={id} id={id} />;
