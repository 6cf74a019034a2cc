import { demandSince } from "../../../actions/operations/call-log.ts"
import { weeksBefore } from "../../../domain/demand/demand.ts"
import { demandByPeriod, type Ranked, summarizeDemand } from "../../../domain/demand/demand-summary.ts"
import type { AskedBrief, DemandCount } from "../../../domain/demand/demand-tally.ts"
import { formatMoment, type Moment, parseTimestamp } from "../../../domain/time/moment.ts"
import { wholeNumber } from "../arguments.ts"
import { listsOrCsv, onData, refuseBoth } from "../command.ts"
import { printJson } from "../io.ts"
import { asJson, type List } from "../output/table.ts"

const WEEKS_DEFAULT = 4
const WEEKS_MAX = 53
const LISTED_DEFAULT = 50
const LISTED_MAX = 10_000

const ABOUT =
  "list what buyers' agents asked for: briefs that found nothing first. Counted from the calls that are kept (see serve --call-log-days)"
export const demandCommand = onData("demand", ABOUT, {
  summary: "show what buyers' agents asked for",
  options: {
    "--weeks <N>": [`how many weeks to look back, at most ${WEEKS_MAX}`, String(WEEKS_DEFAULT)],
    "--limit <N>": ["how many briefs to list", String(LISTED_DEFAULT)],
    "--csv": "print the briefs as CSV",
  },
  examples: [["demand --weeks 12"], ["demand --weeks 52 --csv > briefs.csv"]],
  reads(options) {
    refuseBoth(options)
    return {
      weeks: wholeNumber("--weeks", options.weeks, 1, WEEKS_MAX),
      limit: wholeNumber("--limit", options.limit, 1, LISTED_MAX),
    }
  },
  async run({ store, clock, options, read: { weeks, limit } }) {
    const from = weeksBefore(clock(), weeks - 1)
    const tally = await demandSince({ store }, parseTimestamp(`${from}T00:00:00Z`) ?? 0)
    const counts = tally.counts()
    const briefs = [true, false].flatMap((unmatched) => tally.briefs({ from, unmatched })).slice(0, limit)
    const { countries, formats, products, medianBudget, withoutKey, ...sums } = summarizeDemand(counts)
    const print = await listsOrCsv(options, briefs, BRIEFS, BRIEF_COLUMNS, (brief) => ({
      ...asJson(BRIEFS, brief),
      countries: brief.countries.join(" "),
      formats: brief.formats.join(", "),
    }))
    return (io) => {
      if (options.json)
        return printJson(io, {
          ...sums,
          calls_without_key: withoutKey,
          median_budget: medianBudget,
          weeks: weeksOf(counts, weeks, clock()),
          countries: countries.map(rankedAsJson),
          formats: formats.map(rankedAsJson),
          products_shown: products.map(rankedAsJson),
          briefs: briefs.map((brief) => asJson(BRIEFS, brief)),
        })
      const { matched, nothing, refused } = sums
      if (!options.csv) io.err(`${matched} calls found something, ${nothing} found nothing, ${refused} got an error.\n`)
      print(io, options)
    }
  },
})

function weeksOf(counts: readonly DemandCount[], weeks: number, now: Moment) {
  const all = Array.from({ length: weeks }, (_, i) => weeksBefore(now, weeks - 1 - i))
  return demandByPeriod(counts, all).map(({ period: week, ...sums }) => ({ week, ...sums }))
}

const rankedAsJson = ({ value, calls, unmatched }: Ranked) => ({ value, calls, matched_nothing: unmatched })

const BRIEF_COLUMNS =
  "week brief agent_key countries formats budget currency asked products_matched first_product last_asked"

const BRIEFS: List<AskedBrief> = {
  columns: [
    { title: "WEEK", value: ({ period }) => period },
    { title: "ASKED", value: ({ calls }) => calls, isFigure: true },
    { title: "MATCHED", json: "products_matched", value: ({ matched }) => matched, isFigure: true },
    {
      title: "COUNTRIES",
      value: ({ countries }) => countries,
      text: ({ countries }) => countries.join(" ") || "-",
      shrinks: true,
      optional: 2,
    },
    { title: "BUDGET", value: ({ budget }) => budget, text: budgetText, isFigure: true, optional: 1 },
    { title: "FORMATS", value: ({ formats }) => formats, shrinks: true, optional: 3 },
    { title: "BRIEF", value: ({ brief }) => brief, shrinks: true },
  ],
  more: ({ agentKeyId, currency, firstProduct, lastAt }) => ({
    agent_key: agentKeyId,
    currency,
    first_product: firstProduct,
    last_asked: formatMoment(lastAt),
  }),
  empty: "No briefs yet.",
}

function budgetText({ budget, currency }: AskedBrief): string {
  return budget === null ? "-" : `${budget.toLocaleString("en")} ${currency ?? ""}`.trim()
}
