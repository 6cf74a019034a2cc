import { recordAffiliateMetrics, removeAffiliateCode } from "../../../actions/delivery/record-affiliates.ts"
import { addFigures, byCampaign, type Figures, NO_FIGURES } from "../../../domain/affiliate/affiliate-figures.ts"
import { refusalInWords } from "../../../domain/affiliate/affiliate-report.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import { exactNumber } from "../../../domain/schema/json.ts"
import { CONVERSION_VALUE, readNumber, WHOLE } from "../../../domain/text/typed-number.ts"
import { daysBefore, MICROS_PER_DAY } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { readTypedDay, type TypedPeriod } from "../../../domain/time/typed-day.ts"
import type { AffiliateScope, CampaignName, CodeFigures, DayFigures } from "../../../storage/port/store.ts"
import { pageNotFound } from "../error-pages.tsx"
import { readForm, type SentForm } from "../form.ts"
import { askFirst, forMember, withFound } from "../guards.ts"
import { askedPage, askedRows, fileOfPeriod, isReadable, ListView, periodOf } from "../lists.tsx"
import { ButtonLink, Card, CsvLink, Empty, Facts } from "../parts/blocks.tsx"
import { choicesOf, Select } from "../parts/form/choices.tsx"
import { FilterBar } from "../parts/form/filters.tsx"
import { type Draft, Field, Form } from "../parts/form/form.tsx"
import { ALL_YEARS, formatDate, formatFlight } from "../parts/format.tsx"
import { listCsv, offsetOf, Pages, Table } from "../parts/table.tsx"
import { done, goTo, headedPage, problem } from "../respond.tsx"
import { reporterOf } from "../totals/entered.ts"
import { idParam, type OrganizationVisit } from "../visit.ts"
import {
  CODE_RULES,
  type Currency,
  campaignColumns,
  codeColumns,
  codeCsvColumns,
  DayCharts,
  dayCsvColumns,
  formatAmount,
  formatCount,
  formatRate,
} from "./figures.tsx"
import { baseOf, newCodeRoutes } from "./new-code.tsx"

const FIGURES = { clicks: WHOLE, conversions: WHOLE, value: CONVERSION_VALUE } as const

type TypedDay = Readonly<Record<"date" | keyof typeof FIGURES, string>>

/** The figures of one day of a code. Typed again, they replace those that are stored. */
function dayForm({ now, organization }: OrganizationVisit, action: string, draft: Draft<TypedDay> | undefined) {
  const today = dayOf(now, organization.timeZone)
  const typed = draft?.typed ?? { date: daysBefore(today, 1), clicks: "", conversions: "", value: "" }
  return (
    <Card title="Report a day">
      <Form action={action} submit="Save figures" values={typed} errors={draft?.errors ?? {}}>
        <div class="fields">
          <Field name="date" label="Day" type="date" required />
          <Field name="clicks" label="Clicks" inputmode="numeric" autocomplete="off" />
          <Field name="conversions" label="Conversions" inputmode="numeric" autocomplete="off" />
          <Field name="value" label="Conversion value" inputmode="decimal" autocomplete="off" />
        </div>
        <p class="hint">Leave a figure empty to keep what is stored for that day.</p>
      </Form>
    </Card>
  )
}

/** What was typed as a row of the feed, or what is wrong with it. */
function readDay(form: SentForm, code: string) {
  const typed: TypedDay = form.texts("date", "clicks", "conversions", "value")
  const errors: Partial<Record<keyof TypedDay, string>> = {}
  const day = readTypedDay(typed.date)
  if (!day.ok) errors.date = day.message
  const read = (name: keyof typeof FIGURES) => {
    if (typed[name] === "") return undefined
    const number = readNumber(typed[name], FIGURES[name])
    if (!number.ok) errors[name] = number.message
    // Every digit, as from JSON.
    return number.ok ? exactNumber(number.digits) : undefined
  }
  const figures = { clicks: read("clicks"), conversions: read("conversions"), conversionValue: read("value") }
  if (`${typed.clicks}${typed.conversions}${typed.value}` === "") errors.clicks = "Enter at least one figure."
  return { typed, errors, row: { code, date: day.ok ? day.day : "", ...figures } }
}

// Shown unless the filter asks for older days.
const DAYS_SHOWN = 30
const CAMPAIGNS_SHOWN = 50
const CAMPAIGNS_OFFERED = 200

/** The days that are shown: those in the query, or from 30 days ago. */
const shownPeriod = ({ organization, now, url }: OrganizationVisit): TypedPeriod =>
  periodOf(url, dayOf(now - DAYS_SHOWN * MICROS_PER_DAY, organization.timeZone))

function periodQuery({ searchParams }: URL): string {
  const days = [...searchParams].filter(([name]) => name === "from" || name === "to")
  return days.length === 0 ? "" : `?${new URLSearchParams(days)}`
}

/** What the organization sells or buys, limited to the days and the campaign of the filter. */
function scopeOf(visit: OrganizationVisit): AffiliateScope {
  const campaign = visit.url.searchParams.get("campaign") ?? ""
  return { organizationIds: [visit.organization.id], ...(campaign !== "" && { campaign }), ...shownDays(visit) }
}

function shownDays(visit: OrganizationVisit): Pick<AffiliateScope, "from" | "to"> {
  const { from, to } = shownPeriod(visit)
  return { ...(from !== null && { from }), ...(to !== null && { to }) }
}

function currencyOf(codes: readonly CodeFigures[]): Currency {
  const currencies = new Set(codes.filter(({ valueMicros }) => valueMicros !== null).map(({ currency }) => currency))
  return currencies.size > 1 ? "several" : ([...currencies][0] ?? null)
}

const ADD_CODES = "Add codes here, upload them, or send them through the API. Each code belongs to one line."

async function show(visit: OrganizationVisit): Promise<Response> {
  const { affiliateFigures } = visit.context.store
  const scope = scopeOf(visit)
  const campaigns = await affiliateFigures.campaigns(scope)
  const { codes, days } = await affiliateFigures.figures(scope)
  const sells = visit.place?.onlyBuys !== true
  return headedPage(visit, {
    title: "Affiliates",
    actions: sells && <ButtonLink kind="primary" href={`${baseOf(visit)}/new`} label="New code" />,
    intro: "Affiliate codes with their clicks, conversions and value.",
    body:
      campaigns.length === 0 ? (
        <Empty title="No affiliate codes yet" text={sells ? ADD_CODES : "Codes for lines that you buy appear here."}>
          {sells && <ButtonLink href={`/app/o/${visit.organization.slug}/upload`} label="Upload a file" />}
        </Empty>
      ) : (
        [filters(visit, campaigns), isReadable(shownPeriod(visit)) && reported(visit, codes, days)]
      ),
  })
}

function reported(visit: OrganizationVisit, codes: readonly CodeFigures[], days: readonly DayFigures[]) {
  const { url } = visit
  const base = baseOf(visit)
  const from = offsetOf(url, "campaigns")
  const campaigns = byCampaign(codes).sort((a, b) => compareNames(a.campaignName, b.campaignName))
  const shown = campaigns.slice(from, from + CAMPAIGNS_SHOWN)
  return [
    days.length > 0 && <DayCharts days={days} currency={currencyOf(codes)} csv={`${base}/days.csv${url.search}`} />,
    campaigns.length > 1 && [
      <h2>Totals by campaign</h2>,
      <Table caption="Totals by campaign" columns={campaignColumns(base)} rows={shown} />,
      <Pages url={url} name="campaigns" perPage={CAMPAIGNS_SHOWN} count={campaigns.length} what="campaigns" />,
    ],
    <h2>Codes</h2>,
    <ListView
      url={url}
      list={askedPage(url, CODE_RULES, codes)}
      rules={CODE_RULES}
      what="codes"
      searched="codes, lines and campaigns"
      states={{ reported: "With figures", silent: "Without" }}
      columns={codeColumns(base, periodQuery(url))}
      carried={["campaign", "from", "to"]}
    />,
  ]
}

function filters(visit: OrganizationVisit, campaigns: readonly CampaignName[]) {
  const chosen = visit.url.searchParams.get("campaign") ?? ""
  const inOrder = campaigns.toSorted((a, b) => compareNames(a.name, b.name))
  // Nobody chooses from thousands; the others can be reached from the totals below.
  const offered = inOrder.filter(({ slug }, place) => place < CAMPAIGNS_OFFERED || slug === chosen)
  const { from, errors } = shownPeriod(visit)
  return (
    <FilterBar action={baseOf(visit)} url={visit.url} errors={errors} isFiltered={visit.url.search !== ""}>
      <Select name="campaign" label="Campaign" choices={[{ value: "", label: "All" }, ...choicesOf(offered)]} />
      <Field type="date" name="from" label="From" value={visit.url.searchParams.get("from") ?? from ?? ""} />
      <Field type="date" name="to" label="To" />
    </FilterBar>
  )
}

interface FoundCode extends Figures {
  readonly codeId: number
  readonly code: string
  readonly currency: Currency
  /** All lines for which it has figures, and the one that it points to now. */
  readonly lines: readonly CodeFigures[]
  readonly days: readonly DayFigures[]
}

/** The code that the path names, if this organization sells or buys its lines; with its figures on these days, or on all. */
async function findCode(visit: OrganizationVisit, days: ReturnType<typeof shownDays> = {}): Promise<FoundCode | null> {
  const { affiliateFigures } = visit.context.store
  const scope = { organizationIds: [visit.organization.id], codeId: idParam(visit, "code"), ...days }
  const { codes: lines, days: shown } = await affiliateFigures.figures(scope)
  const [first] = lines
  if (first === undefined) return null
  const { codeId, code } = first
  return { codeId, code, currency: currencyOf(lines), lines, days: shown, ...lines.reduce(addFigures, NO_FIGURES) }
}

const findInPeriod = (visit: OrganizationVisit) => findCode(visit, shownDays(visit))

async function showCode(visit: OrganizationVisit, entry: FoundCode, draft?: Draft<TypedDay>): Promise<Response> {
  const { code, codeId, days, currency } = entry
  const base = baseOf(visit)
  const { from, to } = shownPeriod(visit)
  const until = to === null ? ALL_DAYS : `Until ${formatDate(to)}`
  const title = from === null ? until : formatFlight(from, to, ALL_YEARS)
  const all = await findCode(visit)
  return headedPage(visit, {
    title: code,
    trail: [{ href: base, label: "Affiliates" }],
    actions: [
      days.length > 0 && <CsvLink href={`${base}/${codeId}/days.csv${visit.url.search}`} />,
      all !== null && canDelete(visit, all) && (
        <ButtonLink kind="quiet danger" href={`${base}/${codeId}/delete`} label="Delete code" />
      ),
    ],
    intro: entry.lines.map(({ line, campaignName, slug, isCurrent }) => (
      <p class="soft">
        {!isCurrent && "Before it was moved: "}
        {line}, {campaignName}
        {slug !== null && ` · link name ${slug}`}
      </p>
    )),
    body: [
      <Card title={title} actions={title !== ALL_DAYS && <a href="?from=">{ALL_DAYS}</a>}>
        <Facts
          facts={[
            { term: "Clicks", value: formatCount(entry.clicks) },
            { term: "Conversions", value: formatCount(entry.conversions) },
            { term: "Rate", value: formatRate(entry.clicks, entry.conversions) },
            currency !== "several" && { term: "Value", value: formatAmount(entry.valueMicros, currency) },
          ]}
        />
      </Card>,
      days.length === 0 ? (
        <Empty
          title={all?.days.length ? "No figures on these days" : "No figures yet"}
          text="Daily clicks and conversions appear here once they are reported."
        />
      ) : (
        <DayCharts days={days} currency={currency} />
      ),
      isOwn(visit, entry) && dayForm(visit, `${base}/${codeId}/days`, draft),
    ],
  })
}

const ALL_DAYS = "All days"

const isOwn = ({ organization }: OrganizationVisit, { lines }: FoundCode) =>
  lines.some(({ seller, isCurrent }) => isCurrent && seller === organization.slug)

async function saveDay(visit: OrganizationVisit, entry: FoundCode): Promise<Response> {
  if (!isOwn(visit, entry)) return pageNotFound(visit)
  const { typed, row, errors } = readDay(await readForm(visit.request), entry.code)
  if (Object.keys(errors).length > 0) return showCode(visit, entry, { typed, errors })
  const { errors: refusals } = await recordAffiliateMetrics(visit.context, reporterOf(visit), [row], { dryRun: false })
  const [refused] = refusals
  if (refused !== undefined) return showCode(visit, entry, { typed, errors: { date: refusalInWords(refused.message) } })
  const said = done(`The figures of ${formatDate(row.date)} have been saved.`)
  return goTo(visit, `${baseOf(visit)}/${entry.codeId}`, said)
}

/** The buyer of the line sees the code, too. */
const canDelete = ({ organization }: OrganizationVisit, { lines, days }: FoundCode) =>
  days.length === 0 && lines.every(({ seller }) => seller === organization.slug)

async function findDeletable(visit: OrganizationVisit): Promise<FoundCode | null> {
  const entry = await findCode(visit)
  return entry !== null && canDelete(visit, entry) ? entry : null
}

const deleteQuestion = (visit: OrganizationVisit, { code }: FoundCode) => ({
  href: visit.url.pathname,
  title: `Delete ${code}?`,
  text: "New figures for it will be refused. This cannot be undone.",
  submit: "Delete code",
})

async function deleteCode(visit: OrganizationVisit, { code, codeId }: FoundCode): Promise<Response> {
  const outcome = await removeAffiliateCode(visit.context, visit.organization, codeId, visit.actor)
  const base = baseOf(visit)
  if (outcome === "not found") return pageNotFound(visit)
  if (outcome === "done") return goTo(visit, base, done(`${code} has been deleted.`, `${base}/new`, "Add another code"))
  return goTo(visit, `${base}/${codeId}`, problem("It has figures, so it can’t be deleted."))
}

async function codesCsv(visit: OrganizationVisit): Promise<Response> {
  const codes = (await visit.context.store.affiliateFigures.figures(scopeOf(visit))).codes
  return listCsv("affiliate-codes", codeCsvColumns, askedRows(visit.url, CODE_RULES, codes))
}

async function daysCsv(visit: OrganizationVisit): Promise<Response> {
  const { codes, days } = await visit.context.store.affiliateFigures.figures(scopeOf(visit))
  return listCsv("affiliate-days", dayCsvColumns(currencyOf(codes)), days)
}

const AFFILIATES = "/app/o/:org/affiliates"

export const affiliateRoutes = [
  ...newCodeRoutes,
  forMember("GET", AFFILIATES, show),
  forMember("GET", `${AFFILIATES}.csv`, fileOfPeriod(baseOf, codesCsv, shownPeriod)),
  forMember("GET", `${AFFILIATES}/days.csv`, fileOfPeriod(baseOf, daysCsv, shownPeriod)),
  forMember("GET", `${AFFILIATES}/:code`, withFound(findInPeriod, showCode)),
  forMember("POST", `${AFFILIATES}/:code/days`, withFound(findInPeriod, saveDay)),
  ...askFirst(forMember, `${AFFILIATES}/:code/delete`, findDeletable, deleteCode, deleteQuestion),
  forMember(
    "GET",
    `${AFFILIATES}/:code/days.csv`,
    withFound(findInPeriod, (_, { code, currency, days }) => listCsv(`${code}-days`, dayCsvColumns(currency), days)),
  ),
]
