import type { Played, PlayedTurn } from "./play.ts";
import type { Totals } from "./totals.ts";

const columns: readonly (readonly [string, number, (totals: Totals) => string])[] = [
  ["author", 26, ({ author }) => author],
  ["talks", 6, ({ conversations }) => String(conversations)],
  ["at once", 9, ({ atOnce }) => `${atOnce.toFixed(1)}%`],
  ["a pick", 8, ({ withPick }) => `${withPick.toFixed(1)}%`],
  ["unwanted", 9, ({ unwanted }) => String(unwanted)],
  ["unasked", 8, ({ unasked }) => String(unasked)],
  ["dropped", 8, ({ dropped }) => String(dropped)],
  ["menus", 7, ({ menus }) => `${menus.toFixed(1)}%`],
  ["words", 6, ({ words }) => words.toFixed(0)],
  ["p50 ms", 8, ({ p50 }) => p50.toFixed(1)],
  ["p99 ms", 8, ({ p99 }) => p99.toFixed(1)],
];

const rowOf = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => (at === 0 ? cell.padEnd(columns[at]?.[1] ?? 0) : cell.padStart(columns[at]?.[1] ?? 0)))
    .join("");

export const headRow = (): string => rowOf(columns.map(([name]) => name));

export const totalsRow = (totals: Totals): string => rowOf(columns.map(([, , cell]) => cell(totals)));

const oneLine = (text: string, most: number): string => {
  const line = text.replaceAll("\n", " ⏎ ");
  return line.length > most ? `${line.slice(0, most)}… (${text.length})` : line;
};

const turnBlock = (turn: PlayedTurn, place: number): readonly string[] => [
  `  ${place + 1}> ${oneLine(turn.said, 400)}`,
  ...turn.problems.map((problem) => `     x ${problem}`),
  ...(turn.dropped.length === 0 ? [] : [`     dropped: ${turn.dropped.join("; ")}`]),
  ...(turn.picks.length === 0 ? [] : [`     took: ${turn.picks.join("; ")}`]),
  ...(turn.effects.length === 0
    ? []
    : [`     did: ${turn.effects.map((effect) => oneLine(JSON.stringify(effect), 160)).join("; ")}`]),
  ...(turn.problems.length === 0
    ? []
    : [
        `     said: ${oneLine(turn.text, 600)}`,
        ...turn.datas.map(
          (data) =>
            `     read: ${oneLine(JSON.stringify([data["skill"], data["outcome"], data["understood"], data["not_used"]]), 400)}`,
        ),
        ...turn.options.map((option) => `     open: ${oneLine(option, 160)}`),
      ]),
];

/** What was wanted and what happened, so that a reader can be mended from it. */
export const failureBlock = ({ one, turns, situation }: Played): string =>
  [
    `${one.id} (${one.agent}, ${one.tier ?? "agency"})`,
    ...(one.situation ?? []).map(
      (before) => `  -- ${oneLine(typeof before === "string" ? before : JSON.stringify(before), 200)}`,
    ),
    ...situation.map((problem) => `  x situation: ${problem}`),
    ...turns.flatMap(turnBlock),
    "",
  ].join("\n");
