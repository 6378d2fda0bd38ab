import { PriceCurve } from "../../../charts/price-curve.tsx";
import { count, flight, money, plain, plural } from "../../../form.ts";
import { Chip } from "../../../parts/bits.tsx";
import { toneOf, wordOf } from "../../../words.ts";
import { channelName, currency, type Line } from "./job.ts";

const bookingWords: Readonly<Record<string, string>> = {
  waiting: "approved",
  submitted: "being booked",
  held: "waits for the seller",
  unknown: "no answer yet",
};

const stateOf = (line: Line): string => {
  if (line.status === "pending_approval") return "waits for you";
  if (line.status === "rejected") return "rejected";
  return wordOf(bookingWords, line.booking);
};

const Story = ({ line }: { readonly line: Line }) => {
  const { negotiation } = line;
  if (negotiation === null || negotiation.rounds.length === 0) return null;
  const points = [
    { name: "Quote", us: null, them: negotiation.quote_cpm },
    ...negotiation.rounds.map((round) => ({
      name: String(round.round_number),
      us: round.buyer_price,
      them: round.seller_price,
    })),
  ];
  return (
    <details>
      <summary>
        {plural(negotiation.rounds.length, "round")}: {plain(wordOf({}, negotiation.outcome))}
        {negotiation.agreed_cpm === null ? "" : ` at ${money(negotiation.agreed_cpm, currency)}`}
      </summary>
      <p class="muted small">
        <span class="legend us">You</span> <span class="legend them">Them</span>
      </p>
      <PriceCurve points={points} floor={null} text={(price) => money(price, currency)} />
      <ul class="lines small">
        {negotiation.rounds.map((round) => (
          <li key={round.round_number}>
            <span>
              Round {round.round_number}: you {money(round.buyer_price, currency)}, they{" "}
              {money(round.seller_price, currency)}
            </span>
            <span class="muted">{plain(round.rationale, 300)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
};

const Others = ({ line }: { readonly line: Line }) =>
  line.alternatives.length === 0 ? null : (
    <details>
      <summary>{plural(line.alternatives.length, "alternative")} not chosen</summary>
      <ul class="lines small">
        {line.alternatives.map((other) => (
          <li key={other.seller_url + other.product_id}>
            <span>
              {plain(other.product_name)}, {money(other.cpm, currency)}
            </span>
            <span class="muted">{plain(other.reason, 300)}</span>
          </li>
        ))}
      </ul>
    </details>
  );

export interface Picking {
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

const LineRow = ({ line, picking }: { readonly line: Line; readonly picking: Picking | null }) => {
  const isPickable = picking !== null && line.status === "pending_approval";
  const id = line.recommendation_id;
  return (
    <tr class={isPickable && !picking.chosen.has(id) ? "unpicked" : ""}>
      <td>
        <label class="pick">
          {isPickable ? (
            <input type="checkbox" checked={picking.chosen.has(id)} onChange={() => picking.toggle(id)} />
          ) : null}
          <span>
            {plain(line.product_name)} <Chip>{plain(line.deal_type)}</Chip>{" "}
            {isPickable ? null : <Chip tone={toneOf(line.booking)}>{stateOf(line)}</Chip>}
          </span>
        </label>
        <p class="muted small">{plain(line.rationale, 400)}</p>
        {line.error === null ? null : <p class="error small">{plain(line.error, 400)}</p>}
        <Story line={line} />
        <Others line={line} />
      </td>
      <td data-name="Flight">{flight(line.flight_start, line.flight_end)}</td>
      <td class="number" data-name="CPM">
        {money(line.cpm, currency)}
        {line.fees === null ? null : (
          <span class="muted small block">{money(line.effective_cpm, currency)} with fees</span>
        )}
      </td>
      <td class="number muted" data-name="List">
        {money(line.list_cpm, currency)}
      </td>
      <td class="number" data-name="Impressions">
        {count(line.impressions)}
      </td>
      <td class="number" data-name="Cost">
        {money(line.cost, currency)}
      </td>
      <td class="number" data-name="Score">
        {Math.round(line.score)}
      </td>
    </tr>
  );
};

/** Lines by channel, each with its reason; with `picking`, those that wait can be chosen. */
export const LineTable = ({ lines, picking }: { lines: readonly Line[]; picking: Picking | null }) => {
  const channels = [...new Set(lines.map(({ channel }) => channel))];
  return (
    <table class="table">
      <caption class="unseen">Recommended lines</caption>
      <thead>
        <tr>
          {["Product", "Flight"].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {["CPM", "List", "Impressions", "Cost", "Score"].map((name) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {channels.map((channel) => (
        <tbody key={channel}>
          <tr class="group">
            <th colSpan={7} scope="rowgroup">
              {channelName(plain(channel))}
            </th>
          </tr>
          {lines
            .filter((line) => line.channel === channel)
            .map((line) => (
              <LineRow key={line.recommendation_id} line={line} picking={picking} />
            ))}
        </tbody>
      ))}
    </table>
  );
};
