import { useState } from "preact/hooks";
import { screenOf } from "../../../address.ts";
import type { OutputOf } from "../../../agent/api.ts";
import { useRead } from "../../../agent/read.ts";
import * as seller from "../../../agent/seller.generated.ts";
import { nowMs } from "../../../clock.ts";
import { buyerName, count, flight, left, money, moment, plain, priceText, roundMoney } from "../../../form.ts";
import { Act } from "../../../parts/act.tsx";
import { Card, Chip, Facts, Figure, Figures } from "../../../parts/bits.tsx";
import { CopyId } from "../../../parts/copy.tsx";
import { Field } from "../../../parts/field.tsx";
import { MachineStates } from "../../../parts/machine.tsx";
import { Page } from "../../../parts/page.tsx";
import { Shown } from "../../../parts/states.tsx";
import { pageOf, sentenceOf } from "../../../sentences.ts";
import { dealTypeWords, quoteStates, toneOf, wordOf } from "../../../words.ts";
import { FromListToPaid } from "../from-list-to-paid.tsx";

type Quote = OutputOf<typeof seller.getQuote>;

const Decline = ({ quote, again }: { readonly quote: Quote; readonly again: () => void }) => {
  const [reason, setReason] = useState("");
  if (quote.status !== "available") return null;
  return (
    <Act
      op={seller.declineQuote}
      input={{ quote_id: quote.quote_id, reason: reason.trim() }}
      label="Take the quote back"
      tone="danger"
      question="The buyer can no longer book at this price. This cannot be taken back."
      after={again}
      again={again}
    >
      <Field label="Reason, which the buyer may read" value={reason} onInput={setReason} maxLength={2000} />
    </Act>
  );
};

/** What happened to it, the newest first, each a way to what came of it. */
const Happened = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.listEvents, { flow_id: id, limit: 50 }, ["quote.", "negotiation.", "deal."]);
  return (
    <Card title="What became of it">
      <Shown read={read} lines={2}>
        {({ events }) =>
          events.length === 0 ? (
            <p class="muted">Its events are no longer kept.</p>
          ) : (
            <ul class="lines">
              {events.map((event) => {
                const page = pageOf(event);
                return (
                  <li key={event.event_id}>
                    {page === null || page === screenOf("quotes", id) ? (
                      <span>{sentenceOf(event)}</span>
                    ) : (
                      <a href={page}>{sentenceOf(event)}</a>
                    )}
                    <span class="muted small">{moment(event.timestamp)}</span>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
};

const QuoteBody = ({ quote, again }: { readonly quote: Quote; readonly again: () => void }) => {
  const { pricing, terms } = quote;
  const { currency } = pricing;
  return (
    <>
      <div class="strip-card">
        <Figures>
          <Figure name="Value" value={roundMoney(quote.total_cost, currency)} />
          <Figure name="CPM" value={priceText(pricing.final_cpm, currency)} />
          <Figure name="Impressions" value={count(terms.impressions)} />
          <Figure
            name="Holds"
            value={quote.status === "available" ? left(quote.expires_at, nowMs.value) : "no more"}
            note={moment(quote.expires_at)}
          />
        </Figures>
      </div>
      <div class="columns">
        <FromListToPaid pricing={pricing} floor={null} last="Quoted" />
        <Card title="Terms">
          <Facts
            rows={[
              { name: "Type", value: wordOf(dealTypeWords, quote.deal_type) },
              { name: "Volume", value: `${count(terms.impressions)} impressions` },
              { name: "Flight", value: flight(terms.flight_start, terms.flight_end) },
              { name: "In all", value: money(quote.total_cost, currency) },
              { name: "Tier", value: quote.buyer_tier },
              { name: "Quoted", value: moment(quote.created_at) },
              { name: "Id", value: <CopyId id={quote.quote_id} /> },
            ]}
          />
        </Card>
      </div>
      <div class="columns">
        <Happened id={quote.quote_id} />
        <Card title="State">
          <MachineStates kind="quote" state={quote.status} called={wordOf(quoteStates, quote.status)} />
        </Card>
      </div>
      <p class="row">
        <Decline quote={quote} again={again} />
      </p>
    </>
  );
};

export const QuotePage = ({ id }: { readonly id: string }) => {
  const read = useRead(seller.getQuote, { quote_id: id }, ["quote."]);
  const listed = useRead(seller.listQuotes, { q: id, limit: 1 }, [], false);
  const quote = read.output;
  const row = listed.output?.quotes[0];
  const who = row === undefined ? "A buyer" : buyerName(row.buyer_name, row.buyer);
  return (
    <Page
      title={quote === null ? "Quote" : `${who} was quoted ${plain(quote.product.name)}`}
      back={{ href: screenOf("quotes"), label: "All quotes" }}
      chips={quote === null ? undefined : <Chip tone={toneOf(quote.status)}>{wordOf(quoteStates, quote.status)}</Chip>}
    >
      <Shown read={read}>{(output) => <QuoteBody quote={output} again={read.again} />}</Shown>
    </Page>
  );
};
