import type { RowOutcome } from "./feeds.ts"

/** Counts the outcomes of all rows so far. */
export interface Tally {
  rows: number
  accepted: number
  rejected: number
  readonly effects: Record<string, number>
  readonly reasons: Record<string, number>
}

export function emptyTally(): Tally {
  return { rows: 0, accepted: 0, rejected: 0, effects: {}, reasons: {} }
}

export function count(tally: Tally, { reason, effect }: RowOutcome): void {
  tally.rows++
  if (reason === undefined) tally.accepted++
  else tally.rejected++
  if (reason !== undefined) tally.reasons[reason] = (tally.reasons[reason] ?? 0) + 1
  if (effect !== undefined) tally.effects[effect] = (tally.effects[effect] ?? 0) + 1
}

export function summary({ rows, accepted, rejected, effects, reasons }: Tally, dryRun: boolean): string {
  const parts = (counts: Readonly<Record<string, number>>) => {
    const named = Object.entries(counts).map(([name, number]) => `${number.toLocaleString("en")} ${name}`)
    return named.length === 0 ? "" : ` (${named.join(", ")})`
  }
  const number = (value: number) => value.toLocaleString("en")
  const lines = [
    `${number(rows)} ${rows === 1 ? "row" : "rows"}: ${number(accepted)} accepted${parts(effects)}, ${number(rejected)} rejected${parts(reasons)}.`,
    ...(dryRun ? ["Nothing was written: this was a dry run."] : []),
  ]
  return `${lines.join("\n")}\n`
}
