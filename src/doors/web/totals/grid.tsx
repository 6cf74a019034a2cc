import { reportTotals, type TotalsOutcome } from "../../../actions/delivery/report-total.ts"
import { reasonInWords } from "../../../domain/delivery/delivery-words.ts"
import { dayOf, timeOfDay } from "../../../domain/time/time-zone.ts"
import { readTypedMoment } from "../../../domain/time/typed-day.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { sparklinePoints } from "../campaigns/campaign.tsx"
import { type Errors, readForm } from "../form.ts"
import { homeOf } from "../home/page.tsx"
import { offsetOf, withQuery } from "../paging.ts"
import { Card } from "../parts/blocks.tsx"
import { ButtonLink } from "../parts/buttons.tsx"
import { Banner, Empty } from "../parts/feedback.tsx"
import { DateTimeField } from "../parts/form/fields.tsx"
import { Segments } from "../parts/form/filters.tsx"
import { Form, HiddenInputs } from "../parts/form/form.tsx"
import { formatCount, formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page.tsx"
import { BareTable } from "../parts/table.tsx"
import { goTo } from "../respond.ts"
import { forMember } from "../route.ts"
import type { OrganizationVisit } from "../visit.ts"
import { dueLines, elsewhere, enteredTotal, nameOf, reportableLines, type TypedByLine, typedIn } from "./entered.ts"
import { type Checked, columnsFor, type GridRow } from "./grid-row.tsx"
import { receiptPath } from "./receipt.tsx"

// A form has at most a thousand fields, and a row up to three.
const LINES_PER_PAGE = 250

/** What is typed so far, and what was found to be odd or wrong about it. */
interface Tried {
  readonly typed: TypedByLine
  readonly asOf: Readonly<Record<"as_of" | "as_of_time", string>>
  readonly errors: Errors
  readonly checked: ReadonlyMap<string, Checked>
  readonly offset: number
}

async function gridPage(visit: OrganizationVisit): Promise<Response> {
  const { now, organization } = visit
  const asOf = {
    as_of: dayOf(now, organization.timeZone),
    as_of_time: timeOfDay(now, organization.timeZone).slice(0, 5),
  }
  const untouched = { typed: new Map(), asOf, errors: {}, checked: new Map(), offset: offsetOf(visit.url) }
  return showGrid(visit, await reportableLines(visit), untouched)
}

/** All of them, or those that are due. */
function chosenLines(visit: OrganizationVisit, all: readonly FlyingLine[]): readonly FlyingLine[] {
  return visit.url.searchParams.get("only") === "due" ? dueLines(all, visit) : all
}

async function showGrid(visit: OrganizationVisit, all: readonly FlyingLine[], tried: Tried): Promise<Response> {
  return headedPage(visit, {
    title: "Report totals",
    intro: "What each line has delivered since its flight began. An empty field leaves a line as it is.",
    actions: <ButtonLink icon="upload" href={`${homeOf(visit)}/upload`} label="Upload a file instead" />,
    body:
      all.length === 0 ? (
        <Empty title="No lines are running" text="Lines that run today are listed here.">
          <ButtonLink href={`${homeOf(visit)}/campaigns`} label="All campaigns" />
        </Empty>
      ) : (
        await grid(visit, all, tried)
      ),
  })
}

async function grid(visit: OrganizationVisit, all: readonly FlyingLine[], tried: Tried) {
  const chosen = chosenLines(visit, all)
  const shown = chosen.slice(tried.offset, tried.offset + LINES_PER_PAGE)
  const points = await sparklinePoints(visit, shown)
  const { typed, errors, asOf, checked, offset } = tried
  const { timeZone } = visit.organization
  const asked = [...checked.values()].filter(({ outcome }) => outcome === "asked").length
  const ready = [...checked.values()].filter(({ outcome }) => outcome === "ready").length
  const values = { ...asOf, ...Object.fromEntries([...typed].map(([id, { total }]) => [nameOf.total(id), total])) }
  const firstAsked = shown.find(({ packageId }) => checked.get(packageId)?.outcome === "asked")
  const rows = shown.map((line): GridRow => {
    const { packageId, lineId } = line
    const isFirstAsked = line === firstAsked && Object.keys(errors).length === 0
    const found = { typed: typed.get(packageId), checked: checked.get(packageId), points: points.get(lineId) ?? [] }
    return { line, ...found, isFirstAsked }
  })
  return (
    <Form
      action={withQuery(visit.url, "from", offset === 0 ? null : offset)}
      submit={ready === 0 ? "Report totals" : `Report ${formatCount(ready, "total")}`}
      cancel={homeOf(visit)}
      values={values}
      errors={errors}
      saveNote={asked === 0 ? "Buyers see new totals at once." : leftOutText(asked)}
    >
      {asked > 0 && Object.keys(errors).length === 0 && (
        <Banner tone="warn" live>
          <p>
            <b>Nothing is reported yet.</b> {askedText(asked)}
          </p>
        </Banner>
      )}
      <HiddenInputs
        values={{ offset: String(offset), ...elsewhere(typed, new Set(shown.map((one) => one.packageId))) }}
      />
      <Card label="When the totals were measured">
        <DateTimeField
          name="as_of"
          time="as_of_time"
          label="Measured at"
          required
          zone={timeZone}
          max={dayOf(visit.now, timeZone)}
          hint="For every line on this page. Leave the time empty for the end of the day."
        />
      </Card>
      <Card flush title="Running lines" count={formatNumber(all.length)} actions={<Only visit={visit} all={all} />}>
        <BareTable
          caption="Running lines, their last total and a field for the new one"
          columns={columnsFor(visit)}
          rows={rows}
          rowKey={({ line }) => line.packageId}
          mark={(row) => (row.checked?.outcome === "asked" ? "ask" : undefined)}
        />
      </Card>
      <GridPages url={visit.url} count={chosen.length} offset={offset} />
    </Form>
  )
}

const askedText = (asked: number) =>
  formatCount(
    asked,
    "total looks unusual. Change it, or tick its box.",
    "totals look unusual. Change them, or tick their boxes.",
  )

const leftOutText = (asked: number) =>
  `${formatCount(asked, "total waits", "totals wait")} for your answer and will be left out without it.`

/** A link, so what was typed is lost: only offered before anything is. */
function Only({ visit, all }: Readonly<{ visit: OrganizationVisit; all: readonly FlyingLine[] }>) {
  if (visit.request.method === "POST") return null
  const { url } = visit
  const isDue = url.searchParams.get("only") === "due"
  const due = dueLines(all, visit).length
  if (due === all.length || (due === 0 && !isDue)) return null
  return (
    <Segments
      label="Lines"
      segments={[
        { href: url.pathname, label: "All", count: formatNumber(all.length), isCurrent: !isDue },
        {
          href: `${url.pathname}?only=due`,
          label: "No total since yesterday",
          count: formatNumber(due),
          isCurrent: isDue,
        },
      ]}
    />
  )
}

/** The other pages of the grid. Buttons, because they take along what was typed. */
function GridPages({ url, count, offset }: Readonly<{ url: URL; count: number; offset: number }>) {
  if (count <= LINES_PER_PAGE) return null
  const starts = Array.from({ length: Math.ceil(count / LINES_PER_PAGE) }, (_, page) => page * LINES_PER_PAGE)
  return (
    <nav class="actions" aria-label="Pages of lines">
      <span class="soft">More lines, with what you typed kept:</span>
      {starts.map((start) => (
        <button
          key={start}
          type="submit"
          class="button small"
          formaction={withQuery(url, "from", start === 0 ? null : start)}
          name="go"
          value="yes"
          aria-current={start === offset ? "page" : undefined}
        >
          {formatNumber(start + 1)}–{formatNumber(Math.min(start + LINES_PER_PAGE, count))}
        </button>
      ))}
    </nav>
  )
}

/** Saves what was typed, or shows what is odd or wrong about it. */
async function submit(visit: OrganizationVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const all = await reportableLines(visit)
  const typed = typedIn(form)
  const asOf = form.texts("as_of", "as_of_time")
  const offset = offsetOf(visit.url)
  const tried = { typed, asOf, errors: {}, checked: new Map(), offset }
  if (form.has("go")) return showGrid(visit, all, tried)
  const { timeZone, id } = visit.organization
  const measured = readTypedMoment(asOf.as_of, asOf.as_of_time, timeZone, dayOf(visit.now, timeZone))
  if (!measured.ok) {
    const errors = { [measured.field === "day" ? "as_of" : "as_of_time"]: measured.message }
    return showGrid(visit, all, { ...tried, errors })
  }
  const lines = all.filter(({ packageId }) => typed.has(packageId))
  if (lines.length === 0) return showGrid(visit, all, { ...tried, errors: { "": "Type at least one new total." } })
  const entered = lines.flatMap((line) => {
    const one = typed.get(line.packageId)
    return one === undefined ? [] : [enteredTotal(line, one, measured.value)]
  })
  const source = { kind: "form", reference: String(visit.person.userId), detail: "" } as const
  const outcome = await reportTotals(visit.context, { organizationId: id, timeZone, source }, entered)
  const isSaved = outcome.isSaved && outcome.outcomes.some((one) => one.outcome === "saved")
  if (isSaved) return goTo(visit, receiptPath(visit, lines, outcome, typed))
  return showGrid(visit, all, withOutcomes({ ...tried, chosen: chosenLines(visit, all) }, lines, entered, outcome))
}

/** What to say about each line, on the page of the first that somebody has to look at. */
function withOutcomes(
  { chosen, ...tried }: Tried & { readonly chosen: readonly FlyingLine[] },
  lines: readonly FlyingLine[],
  entered: readonly { readonly element: Record<string, unknown> }[],
  { outcomes }: TotalsOutcome,
): Tried {
  const checked = new Map<string, Checked>()
  const errors: Record<string, string> = {}
  for (const [i, line] of lines.entries()) {
    const one = outcomes[i]
    if (one === undefined || one.outcome === "saved") continue
    if (one.outcome !== "refused") checked.set(line.packageId, one)
    else {
      const { field, text } = reasonInWords(one.reason, entered[i]?.element, line)
      const isOfAll = one.reason === "as_of_in_future" || field === ""
      errors[isOfAll ? (field === "" ? "" : "as_of") : nameOf.total(line.packageId)] = text
    }
  }
  const isOpen = ({ packageId }: FlyingLine) =>
    checked.get(packageId)?.outcome === "asked" || nameOf.total(packageId) in errors
  const first = chosen.findIndex(isOpen)
  const offset = first < 0 ? tried.offset : first - (first % LINES_PER_PAGE)
  return { ...tried, errors, checked, offset }
}

const TOTALS = "/app/o/:org/totals"

export const totalsRoutes = [forMember("GET", TOTALS, gridPage), forMember("POST", TOTALS, submit)]
