import { typesNamed } from "../discovery/rules.ts";
import type { PlanLine, PlanRow } from "./record.ts";

const shiftForm = /(\d{1,3}) ?%[^.;]{0,60}?\bto\b ([^.;]{1,60})/i;
const dropForm = /\b(?:drop|remove|leave out|without)\b ([^.;]{1,60})/i;

const wholePercent = 100;

/** Whole percent that are 100 together, in the proportion of `weights`; the first gets what rounding leaves. */
const spread = (weights: readonly number[], whole: number): readonly number[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const parts = weights.map((weight) => Math.floor((weight * whole) / (sum === 0 ? 1 : sum)));
  const rest = whole - parts.reduce((all, part) => all + part, 0);
  return parts.map((part, place) => (place === 0 ? part + rest : part));
};

const withShares = (lines: readonly PlanLine[], split: readonly number[]): readonly PlanLine[] =>
  lines.map((line, place) => ({ ...line, share: split[place] ?? 0 })).filter(({ share }) => share > 0);

const shifted = (lines: readonly PlanLine[], types: readonly string[], share: number): readonly PlanLine[] | null => {
  const [wanted, others] = [
    lines.filter((line) => types.includes(line.inventory_type)),
    lines.filter((line) => !types.includes(line.inventory_type)),
  ];
  if (wanted.length === 0 || others.length === 0 || share > wholePercent) return null;
  const weights = (of: readonly PlanLine[]): readonly number[] => of.map((line) => line.share);
  return [
    ...withShares(wanted, spread(weights(wanted), share)),
    ...withShares(others, spread(weights(others), wholePercent - share)),
  ];
};

const dropped = (lines: readonly PlanLine[], types: readonly string[]): readonly PlanLine[] | null => {
  const kept = lines.filter((line) => !types.includes(line.inventory_type));
  if (kept.length === 0 || kept.length === lines.length) return null;
  return withShares(
    kept,
    spread(
      kept.map(({ share }) => share),
      wholePercent,
    ),
  );
};

/** What an ask in words changes: shares of a type of inventory, or that it goes. Null: nothing of it can be done. */
export const afterAsk = (row: PlanRow, ask: string, inventoryTypes: readonly string[]): PlanRow | null => {
  const drop = dropForm.exec(ask)?.[1];
  const after = drop === undefined ? null : dropped(row.lines, typesNamed(drop, inventoryTypes));
  const shift = shiftForm.exec(ask);
  const [, share, target] = shift ?? [];
  const types = target === undefined ? [] : typesNamed(target, inventoryTypes);
  const moved = share === undefined ? null : shifted(after ?? row.lines, types, Number(share));
  const lines = moved ?? after;
  return lines === null ? null : { ...row, lines, name: lines.map(({ name }) => name).join(", ") };
};
