import type { Goal, Outcome, Scenario } from "./scenario.ts"
import type { Spread } from "./statistics.ts"

export interface Finished {
  readonly scenario: Scenario
  readonly outcome: Outcome
}

/** The promises first, because they are what a reader comes for; then every figure behind them. */
export function report(finished: readonly Finished[], machine: readonly string[]): string {
  return [
    ...machine.map((line) => `- ${line}`),
    "",
    ...goalTable(finished),
    "",
    ...finished.flatMap(({ scenario, outcome }) => figureTable(scenario.title, outcome)),
  ].join("\n")
}

function goalTable(finished: readonly Finished[]): string[] {
  const rows = finished.flatMap(({ scenario, outcome }) => outcome.goals.map((goal) => goalRow(scenario, goal)))
  return table(["work", "promise", "measured", ""], rows)
}

function goalRow(scenario: Scenario, goal: Goal): string[] {
  return [scenario.title, goal.promise, goal.measured, goal.met ? "met" : "MISSED"]
}

/** Where requests are counted, the last column is how much more processor time than the first each contender needs. */
export function figureTable(title: string, { unit, figures, notes = [] }: Omit<Outcome, "goals">): string[] {
  const product = figures[0]?.micros
  const header = ["contender", unit, "lowest to highest"]
  const rows = figures.map(({ contender, spread }) => [contender, figure(spread.median), range(spread)])
  if (product !== undefined) {
    header.push("processor time a request", "lowest to highest", "x the first")
    for (const [place, { micros = product }] of figures.entries())
      rows[place]?.push(`${figure(micros.median)} µs`, range(micros), (micros.median / product.median).toFixed(2))
  }
  return [`### ${title}`, "", ...table(header, rows), "", ...notes.flatMap((note) => [note, ""])]
}

function range({ lowest, highest }: Spread): string {
  return `${figure(lowest)} to ${figure(highest)}`
}

export function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2)
}

export function table(header: readonly string[], rows: readonly string[][]): string[] {
  const widths = header.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)]
}
