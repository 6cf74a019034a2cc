import { checkTotals, reportTotals, type TotalsOutcome } from "../../../actions/delivery/report-total.ts"
import { isInFlight } from "../../../domain/campaign/line-state.ts"
import { reasonForPeople } from "../../../domain/delivery/delivery-reasons.ts"
import { dayOf, timeOfDay } from "../../../domain/time/time-zone.ts"
import { readTypedMoment } from "../../../domain/time/typed-day.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { recentTotals } from "../campaigns/line-table.tsx"
import { lineHref } from "../campaigns/with-line.ts"
import { pageNotFound } from "../error-pages.tsx"
import { type Errors, readForm } from "../form.ts"
import { forMember } from "../guards.ts"
import { ENDED_DAYS } from "../home/lines-in-flight.ts"
import { homeOf } from "../home/page.tsx"
import { carriedIn } from "../lists.tsx"
import { Banner, ButtonLink, Card, Empty, Submit } from "../parts/blocks.tsx"
import { SearchInput, Segments } from "../parts/form/filters.tsx"
import { DateTimeField, Form, HiddenInputs } from "../parts/form/form.tsx"
import { formatCount, formatNumber } from "../parts/format.tsx"
import { BareTable, type Column, offsetOf, Pages, withQuery } from "../parts/table.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { enteredTotal, nameOf, offPage, reporterOf, type TypedByLine, totalOf, totalsOf, typedIn } from "./entered.ts"
import { type GridLines, gridLines, gridOf, LINES_PER_PAGE, linesOfPage, linesTyped, pageOf } from "./grid-lines.ts"
import { type Checked, columnsFor, type GridRow } from "./grid-row.tsx"
import { receiptPath } from "./receipt.tsx"
import { type ChangedLine, sumText } from "./what-changed.tsx"

/** What is typed so far, and what was found to be odd or wrong about it. */
interface Tried {
  readonly typed: TypedByLine
  readonly asOf: Readonly<Record<"as_of" | "as_of_time", string>>
  readonly errors: Errors
  readonly checked: ReadonlyMap<string, Checked>
  /** What all of it adds up to. */
  readonly sum: string
  readonly offset: number
  /** Whether somebody is still typing: nothing takes the focus. */
  readonly isTyping: boolean
  /** Whether the cursor stands in the first field. */
  readonly isStart?: boolean
}

const gridPage = async (visit: OrganizationVisit): Promise<Response> =>
  showGrid(visit, await gridLines(visit), { ...untouched(visit), offset: offsetOf(visit.url), isStart: true })

/** The grid of one line for its page: what is wrong with a total or asked about it is said on the page of the grid. */
export async function gridOfLine(visit: OrganizationVisit, line: FlyingLine) {
  const there = { ...visit, url: new URL(totalOf(line), visit.url) }
  return grid(there, gridOf(line), untouched(visit))
}

const UNTOUCHED = { typed: new Map(), errors: {}, checked: new Map(), sum: "", offset: 0, isTyping: false } as const

const untouched = ({ now, organization: { timeZone } }: OrganizationVisit): Tried => ({
  ...UNTOUCHED,
  asOf: { as_of: dayOf(now, timeZone), as_of_time: timeOfDay(now, timeZone).slice(0, 5) },
})

async function showGrid(visit: OrganizationVisit, lines: GridLines, tried: Tried): Promise<Response> {
  const { named } = lines
  if (named === undefined && visit.url.searchParams.has("line")) return pageNotFound(visit)
  return headedPage(visit, {
    title: "Report totals",
    ...(named && { trail: [{ href: lineHref(visit, named), label: named.name }] }),
    intro:
      named === undefined
        ? "Enter what each line has delivered since its flight began. Leave a field empty to keep its total."
        : "Enter what the line has delivered since its flight began, not what was added since the last report.",
    actions: named === undefined && (
      <ButtonLink icon="upload" href={`${homeOf(visit)}/upload`} label="Upload a file instead" />
    ),
    body:
      lines.all === 0 ? (
        <Empty title="No lines are running" text="Lines that run today are listed here.">
          <ButtonLink href={`${homeOf(visit)}/campaigns`} label="All campaigns" />
        </Empty>
      ) : (
        [named === undefined && find(visit, lines.all), await grid(visit, lines, tried)]
      ),
  })
}

async function rowsOf(visit: OrganizationVisit, lines: readonly FlyingLine[], tried: Tried): Promise<GridRow[]> {
  const { deliveryHistory } = visit.context.store
  const ids = lines.map(({ lineId }) => lineId)
  const [points, feeds] = await Promise.all([recentTotals(visit, lines), deliveryHistory.feeds(ids)])
  const { typed, checked, errors, isTyping } = tried
  const mayFocus = !isTyping && Object.keys(errors).length === 0
  const firstAsked = mayFocus ? lines.find(({ packageId }) => checked.get(packageId)?.outcome === "asked") : undefined
  const firstTyped = tried.isStart ? lines.find(({ pricingBasis }) => pricingBasis !== "flat_rate") : undefined
  return lines.map((line) => ({
    line,
    isFirst: line === firstTyped,
    typed: typed.get(line.packageId),
    checked: checked.get(line.packageId),
    points: points.get(line.lineId) ?? [],
    feed: feeds.get(line.lineId),
    isFirstAsked: line === firstAsked,
  }))
}

async function grid(visit: OrganizationVisit, lines: GridLines, tried: Tried) {
  const { typed, errors, asOf, checked, offset, sum } = tried
  const { named, chosen } = lines
  const page = await linesOfPage(visit, lines, offset)
  const rows = await rowsOf(visit, page, tried)
  const { timeZone } = visit.organization
  const count = (outcome: Checked["outcome"]) => [...checked.values()].filter((row) => row.outcome === outcome).length
  const [questions, ready] = [count("asked"), count("ready")]
  const values = { ...asOf, ...Object.fromEntries([...typed].map(([id, { total }]) => [nameOf.total(id), total])) }
  const here = new URL(withQuery(visit.url, "from", offset === 0 ? null : offset), visit.url)
  const hasEnded = chosen.some((line) => !isInFlight(line, visit.now))
  const title = hasEnded ? `Lines that run, or ended in the last ${ENDED_DAYS} days` : "Running lines"
  const all = { title, count: formatNumber(chosen.length), actions: only(visit, lines) }
  const isFlat = named !== undefined && page[0]?.pricingBasis === "flat_rate"
  const head = named === undefined ? all : { title: isFlat ? "Mark as delivered" : "Report totals" }
  const columns = named === undefined ? sortable(here, lines.sort, columnsFor(visit)) : columnsFor(visit).slice(1)
  return (
    <Form
      action={here.pathname + here.search}
      submit={isFlat ? "Mark as delivered" : ready > 0 ? `Report ${formatCount(ready, "total")}` : "Report totals"}
      {...(named === undefined && { cancel: homeOf(visit) })}
      values={values}
      errors={errors}
      saveNote={[sum, questions === 0 ? "Buyers see new totals at once." : leftOutText(questions)].join(" ").trim()}
      live
    >
      {questions > 0 && Object.keys(errors).length === 0 && (
        <Banner tone="warn" live>
          <p>
            <b>Nothing is reported yet.</b> {formatCount(questions, ...ASKED)}
          </p>
        </Banner>
      )}
      <HiddenInputs values={offPage(typed, new Set(page.map((line) => line.packageId)))} />
      <Card label="When the totals were measured">
        <DateTimeField
          name="as_of"
          time="as_of_time"
          label="Measured at"
          required
          zone={timeZone}
          max={dayOf(visit.now, timeZone)}
          hint={`${named === undefined ? "For all totals you type, on every page. " : ""}Leave the time empty for the end of the day.`}
        />
      </Card>
      <Card flush {...head}>
        <BareTable caption="Lines, their last total and a field for the new one" columns={columns} rows={rows} />
      </Card>
      <Pages url={here} perPage={LINES_PER_PAGE} count={chosen.length} what="lines" submits />
    </Form>
  )
}

const ASKED = [
  "total looks unusual. Change it, or tick its box.",
  "totals look unusual. Change them, or tick their boxes.",
] as const

const leftOutText = (count: number) =>
  `${formatCount(count, "total needs", "totals need")} confirming, or will be left out.`

// One or two are found at a glance.
const FEW_LINES = 2

/** A form of its own, so that Enter finds and does not report. A script takes along what was typed. */
function find({ url, request }: OrganizationVisit, all: number) {
  const text = url.searchParams.get("q") ?? ""
  if (all <= FEW_LINES && text === "") return null
  return (
    <search class={request.method === "POST" ? "filters scripted" : "filters"}>
      <form action={url.pathname} data-takes-along>
        <SearchInput name="q" what="lines, campaigns and buyers" value={text} />
        <HiddenInputs values={carriedIn(url, ["only", "sort"])} />
        <Submit kind="unscripted" label="Show" />
      </form>
    </search>
  )
}

/** Buttons of the form, so that nothing that was typed is lost. */
function sortable(here: URL, now: GridLines["sort"], columns: Column<GridRow>[]): Column<GridRow>[] {
  const first = new URL(withQuery(here, "from", null), here)
  return columns.map(({ sortBy, ...column }) => {
    if (sortBy === undefined) return column
    const isNow = sortBy === now
    const href = withQuery(first, "sort", isNow ? null : sortBy)
    return { ...column, sort: { href, now: isNow ? ("ascending" as const) : null, submits: true } }
  })
}

/** A link, so what was typed is lost: only offered before anything is. */
function only({ request, url }: OrganizationVisit, { all, due, isOnlyDue }: GridLines) {
  if (request.method === "POST" || url.searchParams.has("q") || due === all || (due === 0 && !isOnlyDue)) return null
  const segment = (label: string, query: string, count: number) => ({
    href: url.pathname + query,
    label,
    count: formatNumber(count),
    isCurrent: isOnlyDue === (query !== ""),
  })
  const segments = [segment("All", "", all), segment("No total since yesterday", "?only=due", due)]
  return <Segments label="Lines" segments={segments} />
}

async function submit(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const all = await gridLines(visit)
  const typed = typedIn(form)
  const asOf = form.texts("as_of", "as_of_time")
  // On the way to another page, the questions and the sum of all pages stay as well.
  const isTyping = form.has("look") || form.has("go")
  const tried = { ...UNTOUCHED, typed, asOf, offset: offsetOf(visit.url), isTyping }
  const refuse = (errors: Errors) => showGrid(visit, all, isTyping ? tried : { ...tried, errors })
  const { timeZone } = visit.organization
  const measured = readTypedMoment(asOf.as_of, asOf.as_of_time, timeZone, dayOf(visit.now, timeZone))
  if (!measured.ok) return refuse({ [measured.field === "day" ? "as_of" : "as_of_time"]: measured.message })
  const lines = await linesTyped(visit, [...typed.keys()])
  if (lines.length === 0) return refuse({ "": "Type at least one new total." })
  const entered = lines.flatMap((line) => {
    const entry = typed.get(line.packageId)
    return entry === undefined ? [] : [enteredTotal(line, entry, measured.value)]
  })
  const reporter = { ...reporterOf(visit), timeZone }
  if (isTyping) {
    const { errors, checked, sum } = withOutcomes(lines, entered, await checkTotals(visit.context, reporter, entered))
    // What is wrong is said in its row, and nothing else yet.
    for (const { packageId } of lines) {
      const text = errors[nameOf.total(packageId)]
      if (text !== undefined) checked.set(packageId, { outcome: "refused", text })
    }
    return showGrid(visit, all, { ...tried, checked, sum })
  }
  const outcome = await reportTotals(visit.context, reporter, entered)
  const isSaved = outcome.isSaved && outcome.outcomes.some((result) => result.outcome === "saved")
  const receipt = isSaved ? await receiptPath(visit, lines, outcome, typed) : null
  if (receipt !== null) return goTo(visit, receipt)
  const result = withOutcomes(lines, entered, outcome.outcomes)
  const isRepeated = isSaved && result.checked.size === 0 && Object.keys(result.errors).length === 0
  if (isRepeated) return goTo(visit, totalsOf(visit), done("These totals were already reported."))
  // On the page of the first that somebody has to look at.
  const undecided = lines.filter(
    ({ packageId }) => result.checked.get(packageId)?.outcome === "asked" || nameOf.total(packageId) in result.errors,
  )
  return showGrid(visit, all, { ...tried, ...result, offset: pageOf(all, undecided) ?? tried.offset })
}

function withOutcomes(
  lines: readonly FlyingLine[],
  entered: readonly { readonly element: Record<string, unknown> }[],
  outcomes: TotalsOutcome["outcomes"],
) {
  const checked = new Map<string, Checked>()
  const errors: Record<string, string> = {}
  const changed: Pick<ChangedLine, "line" | "before" | "total">[] = []
  for (const [i, line] of lines.entries()) {
    const outcome = outcomes[i]
    if (outcome === undefined || outcome.outcome === "saved") continue
    if (outcome.outcome !== "refused") checked.set(line.packageId, outcome)
    else {
      const { field, text } = reasonForPeople(outcome.reason, { item: entered[i]?.element, line })
      const isOfAll = outcome.reason === "as_of_in_future" || field === ""
      errors[isOfAll ? (field === "" ? "" : "as_of") : nameOf.total(line.packageId)] = text
    }
    if (outcome.outcome === "ready") changed.push({ line, before: line.total, total: outcome.total })
  }
  return { errors, checked, sum: sumText(changed) }
}

const TOTALS = "/app/o/:org/totals"

export const totalsRoutes = [forMember("GET", TOTALS, gridPage), forMember("POST", TOTALS, submit)]
