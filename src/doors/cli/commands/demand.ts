import type { Command } from "commander"
import { stringify } from "csv-stringify/sync"
import { demandSince } from "../../../actions/operations/call-log.ts"
import { weeksBefore } from "../../../domain/demand/demand.ts"
import { demandByPeriod, type Ranked, summarizeDemand } from "../../../domain/demand/demand-summary.ts"
import type { AskedBrief, DemandCount } from "../../../domain/demand/demand-tally.ts"
import { formatMoment, type Moment, parseTimestamp } from "../../../domain/time/moment.ts"
import { UsageError, wholeNumber } from "../arguments.ts"
import { type CliContext, type CommonOptions, onStore, withData } from "../context.ts"
import { explained } from "../help.ts"
import { printJson } from "../io.ts"
import { type Column, printList } from "../output/table.ts"

const WEEKS_DEFAULT = 4
const WEEKS_MAX = 53
const LISTED_DEFAULT = 50
const LISTED_MAX = 10_000

interface DemandOptions extends CommonOptions {
  readonly weeks: string
  readonly limit: string
  readonly csv?: boolean
}

export function demandCommand(program: Command, context: CliContext): void {
  const command = withData(program.command("demand"))
    .summary("show what buyers' agents asked for")
    .description(
      "list what buyers' agents asked for: briefs that matched nothing first. It is counted from the calls that are kept (see serve --call-log-days)",
    )
    .option("--weeks <N>", `how many weeks to look back, at most ${WEEKS_MAX}`, String(WEEKS_DEFAULT))
    .option("--limit <N>", "how many briefs to list", String(LISTED_DEFAULT))
    .option("--csv", "print the briefs as CSV")
    .action(async (options: DemandOptions) => {
      const weeks = wholeNumber("--weeks", options.weeks, 1, WEEKS_MAX)
      const limit = wholeNumber("--limit", options.limit, 1, LISTED_MAX)
      if (options.csv && options.json) throw new UsageError("Choose --csv or --json, not both.")
      await onStore(context, options, async ({ store, clock }) => {
        const from = weeksBefore(clock(), weeks - 1)
        const tally = await demandSince({ store }, parseTimestamp(`${from}T00:00:00Z`) ?? 0)
        const counts = tally.counts()
        const all = [true, false].flatMap((unmatched) => tally.briefs({ from, unmatched }))
        const briefs = all.slice(0, limit).map(briefAsJson)
        if (options.csv) {
          context.io.out(csvOf(briefs))
          return
        }
        const { countries, formats, products, medianBudget, withoutKey, ...sums } = summarizeDemand(counts)
        const found = {
          ...sums,
          calls_without_key: withoutKey,
          median_budget: medianBudget,
          weeks: weeksOf(counts, weeks, clock()),
          countries: countries.map(rankedAsJson),
          formats: formats.map(rankedAsJson),
          products_shown: products.map(rankedAsJson),
          briefs,
        }
        if (options.json) return printJson(context.io, found)
        context.io.err(
          `${sums.matched} calls matched, ${sums.nothing} matched nothing, ${sums.refused} got an error.\n`,
        )
        printList(context.io, options, briefs, { columns: BRIEFS, asJson: (brief) => brief, empty: "No briefs yet." })
      })
    })
  explained(command, { examples: [["demand --weeks 12"], ["demand --weeks 52 --csv > briefs.csv"]] })
}

function weeksOf(counts: readonly DemandCount[], weeks: number, now: Moment) {
  const all = Array.from({ length: weeks }, (_, i) => weeksBefore(now, weeks - 1 - i))
  return demandByPeriod(counts, all).map(({ period: week, ...sums }) => ({ week, ...sums }))
}

const rankedAsJson = ({ value, calls, unmatched }: Ranked) => ({ value, calls, matched_nothing: unmatched })

function briefAsJson(brief: AskedBrief) {
  return {
    week: brief.period,
    brief: brief.brief,
    agent_key: brief.agentKeyId,
    countries: brief.countries,
    formats: brief.formats,
    budget: brief.budget,
    currency: brief.currency,
    asked: brief.asked,
    products_matched: brief.matched,
    first_product: brief.firstProduct,
    last_asked: formatMoment(brief.lastAt),
  }
}

type Listed = ReturnType<typeof briefAsJson>

function csvOf(briefs: readonly Listed[]): string {
  const flat = briefs.map(({ countries, formats, ...brief }) => ({
    ...brief,
    countries: countries.join(" "),
    formats: formats.join(", "),
  }))
  const columns =
    "week brief agent_key countries formats budget currency asked products_matched first_product last_asked".split(" ")
  return stringify(flat, { header: true, columns, escape_formulas: true })
}

const BRIEFS: readonly Column<Listed>[] = [
  { title: "WEEK", text: ({ week }) => week },
  { title: "ASKED", text: ({ asked }) => String(asked), isFigure: true },
  { title: "MATCHED", text: ({ products_matched: matched }) => String(matched), isFigure: true },
  { title: "COUNTRIES", text: ({ countries }) => countries.join(" ") || "-", shrinks: true, optional: 2 },
  { title: "BUDGET", text: budgetText, isFigure: true, optional: 1 },
  { title: "FORMATS", text: ({ formats }) => formats.join(", ") || "-", shrinks: true, optional: 3 },
  { title: "BRIEF", text: ({ brief }) => brief, shrinks: true },
]

function budgetText({ budget, currency }: Listed): string {
  return budget === null ? "-" : `${budget.toLocaleString("en")} ${currency ?? ""}`.trim()
}
