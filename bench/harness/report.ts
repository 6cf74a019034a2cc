import type { Figure, Goal, Outcome, Scenario } from "./scenario.ts"

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
    ...finished.flatMap(({ scenario, outcome }) => figureTable(scenario, outcome)),
  ].join("\n")
}

function goalTable(finished: readonly Finished[]): string[] {
  const rows = finished.flatMap(({ scenario, outcome }) => outcome.goals.map((goal) => goalRow(scenario, goal)))
  return table(["work", "promise", "measured", ""], rows)
}

function goalRow(scenario: Scenario, goal: Goal): string[] {
  return [scenario.title, goal.promise, goal.measured, goal.met ? "met" : "MISSED"]
}

/** Ratios are of the first figure, which is the product's, to each of the others. */
function figureTable(scenario: Scenario, { unit, figures, ratios = true, notes = [] }: Outcome): string[] {
  const product = figures[0]?.spread.median ?? 0
  const ratio = ({ spread }: Figure, place: number) => (place === 0 ? "" : (product / spread.median).toFixed(2))
  const rows = figures.map((figure, place) => [...figureCells(figure), ...(ratios ? [ratio(figure, place)] : [])])
  const header = ["contender", unit, "lowest to highest", ...(ratios ? ["product / this"] : [])]
  return [`### ${scenario.title}`, "", ...table(header, rows), "", ...notes.flatMap((note) => [note, ""])]
}

function figureCells({ contender, spread }: Figure): string[] {
  return [contender, figure(spread.median), `${figure(spread.lowest)} to ${figure(spread.highest)}`]
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(value >= 10 ? 1 : 2)
}

function table(header: readonly string[], rows: readonly string[][]): string[] {
  const widths = header.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)]
}
