import { useLocation } from "preact-iso";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { screenOf, useAddress } from "../../../address.ts";
import * as buyer from "../../../agent/buyer.generated.ts";
import { useRead } from "../../../agent/read.ts";
import { plain } from "../../../form.ts";
import { Page } from "../../../parts/page.tsx";
import { Skeleton } from "../../../parts/states.tsx";
import type { Job } from "../campaigns/job.ts";
import { useSellerNames } from "../seller-names.ts";
import { BriefCompared, briefNote } from "./brief.tsx";
import { MarketCompared } from "./market.tsx";

const mostBriefs = 50;

/** In the address: no brief. Left out: the newest one. */
const noBrief = "none";

interface Named {
  readonly job_id: string;
  readonly campaign_name: string;
}

const Briefs = ({ jobs, chosen }: { readonly jobs: readonly Named[]; readonly chosen: string | null }) => {
  const id = useId();
  const { linkTo } = useAddress();
  const { route } = useLocation();
  return (
    <>
      <label for={id} class="unseen">
        For the brief
      </label>
      <select
        class="brief-choice"
        id={id}
        value={chosen ?? noBrief}
        onChange={(event) => route(linkTo({ brief: event.currentTarget.value, from: null, to: null, q: null }))}
      >
        <option value={noBrief}>All products, for no brief</option>
        {jobs.map((job) => (
          <option key={job.job_id} value={job.job_id}>
            {plain(job.campaign_name)}
          </option>
        ))}
      </select>
    </>
  );
};

const briefIn = (query: Readonly<Record<string, string>>, newest: string | undefined): string | null => {
  const { brief } = query;
  if (brief !== undefined) return brief === noBrief ? null : brief;
  const isMarket = ["from", "to", "q"].some((name) => query[name] !== undefined);
  return isMarket ? null : (newest ?? null);
};

export const CompareScreen = () => {
  const { query } = useAddress();
  const listed = useRead(buyer.listBookings, { limit: mostBriefs }, ["campaign."], false);
  const sellerOf = useSellerNames();
  const jobs = listed.output?.jobs ?? [];
  const id = briefIn(query, jobs[0]?.job_id);
  const titled = (job: Job | null, children: ComponentChildren) => {
    const isListed = job === null || jobs.some((one) => one.job_id === job.job_id);
    return (
      <Page
        title="Compare"
        note={
          <span class="row">
            <Briefs jobs={isListed ? jobs : [...jobs, job]} chosen={id} />
            {job === null ? null : <span>{briefNote(job)}</span>}
            {id === null ? null : <a href={screenOf("campaigns", id)}>The campaign</a>}
            <a href={screenOf("sellers")}>Add a seller</a>
          </span>
        }
      >
        {children}
      </Page>
    );
  };
  if (id !== null) return <BriefCompared key={id} id={id} titled={titled} />;
  const isOpen = !listed.isLoading || query["brief"] !== undefined;
  return titled(null, isOpen ? <MarketCompared sellerOf={sellerOf} /> : <Skeleton />);
};
