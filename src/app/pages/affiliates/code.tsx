import { recordAffiliateMetrics, removeCode } from "../../../actions/affiliates.ts"
import { Decimal, sumFigures } from "../../../domain/affiliate.ts"
import { formSource } from "../../../domain/delivery/delivery.ts"
import { hasErrors } from "../../../domain/errors.ts"
import { dayBefore, isDate } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { readNumber } from "../../../domain/typed-number.ts"
import type { Period } from "../../../storage/campaigns/affiliates.ts"
import { idIn } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import type { FormOf, Texts } from "../../forms/form.ts"
import { ButtonLink, Card, CsvLink, Empty, Facts } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { dotted, formatDate, listInWords } from "../../parts/format.tsx"
import { homeOf, type MemberVisit, NotFound } from "../../visit.ts"
import {
  type CodeRow,
  clicksPerDay,
  countInWords,
  type DayRow,
  daysOf,
  findCodes,
  NOTHING,
  rateInWords,
  sumsBy,
  valueInWords,
} from "./codes.tsx"

/** A code with a row for each line that it has figures of, and its days in the period of the address. */
interface FoundCode {
  readonly id: number
  readonly code: string
  readonly period: Period
  readonly rows: readonly CodeRow[]
  readonly days: readonly DayRow[]
  /** Whether the organization sells the line that the code points to. */
  readonly isOwn: boolean
  /** Whether it's the organization's, and nothing was ever reported. The buyer sees its figures as well. */
  readonly isDeletable: boolean
}

const affiliatesAddress = (visit: MemberVisit) => `${homeOf(visit)}/affiliates`

async function findCode(visit: MemberVisit): Promise<FoundCode> {
  const id = idIn(visit, "code")
  const { rows, period } = await findCodes(visit, id)
  const [first] = rows
  if (first === undefined) throw new NotFound()
  const isOwn = rows.some(({ isCurrent, line }) => isCurrent && line.sellerId === visit.organization.id)
  const isDeletable = isOwn && (await daysOf(visit, rows)).length === 0
  return { id, code: first.code, period, rows, days: await daysOf(visit, rows, period), isOwn, isDeletable }
}

/** The figures of a code, and the form for one of its days. */
export const codeForm: FormOf<MemberVisit, FoundCode> = {
  find: findCode,
  begin: ({ now, timeZone }) => ({ texts: { day: dayBefore(dayOf(now, timeZone)) } }),
  view(visit, { id, code, rows, period, days, isOwn, isDeletable }) {
    const address = affiliatesAddress(visit)
    const query = new URLSearchParams(visit.url.search)
    query.set("code", String(id))
    return {
      title: code,
      trail: [{ href: address, label: "Affiliates" }],
      intro: dotted(...rows.map(rowInWords)),
      actions: (
        <>
          {days.length > 0 && <CsvLink href={`${address}/days.csv?${query}`} />}
          {isDeletable && (
            <ButtonLink kind="quiet danger" href={`${address}/${id}/delete`} label="Delete code" isAsked />
          )}
        </>
      ),
      body: (
        <>
          {sumsCard(rows, period)}
          {days.length === 0 ? (
            <Empty
              title="No figures in this period"
              text="Daily clicks and conversions appear here once they are reported."
            />
          ) : (
            <Card label="Day by day">{clicksPerDay(days, true)}</Card>
          )}
          {isOwn && (
            <Card title="Report a day">
              <Form submit="Save figures" note="An empty field keeps what is stored for that day.">
                <div class="fields">
                  <Field name="day" label="Day" type="date" required />
                  <Field name="clicks" label="Clicks" inputmode="numeric" />
                  <Field name="conversions" label="Conversions" inputmode="numeric" />
                  <Field name="conversionValue" label="Value" inputmode="decimal" />
                </div>
              </Form>
            </Card>
          )}
        </>
      ),
    }
  },
  async save(visit, { id, code, isOwn }, texts) {
    if (!isOwn) throw new NotFound()
    const read = readDay(texts, code)
    if ("errors" in read) return read
    const { context, actor, organization } = visit
    const reporter = { sellerId: organization.id, source: formSource(actor) }
    const { errors } = await recordAffiliateMetrics(context, reporter, [read.row], { isDryRun: false })
    const [rejection] = errors
    if (rejection === undefined) {
      const done = `The figures of ${formatDate(read.row.date)} are saved.`
      return goTo(visit, `${affiliatesAddress(visit)}/${id}`, done)
    }
    const isFuture = rejection.reason === "date_in_future"
    return { errors: { day: isFuture ? "This day hasn’t begun yet." : rejection.message } }
  },
}

const rowInWords = ({ isCurrent, line, slug }: CodeRow): string =>
  `${isCurrent ? "" : "Before it was moved: "}${line.name}, ${line.campaign.name}${slug === null ? "" : `, slug ${slug}`}`

function sumsCard(rows: readonly CodeRow[], period: Period) {
  const sums = sumFigures(rows)
  // Values in several currencies can't be added up.
  const valued = rows.filter(({ valueMicros }) => valueMicros !== null)
  const values = sumsBy(valued, ({ line }) => line.currency).map(([currency, sum]) => valueInWords(sum, currency))
  const facts = [
    { term: "Clicks", value: countInWords(sums.clicks) },
    { term: "Conversions", value: countInWords(sums.conversions) },
    { term: "Rate", value: rateInWords(sums) },
    { term: "Value", value: values.length === 0 ? NOTHING : listInWords(values) },
  ]
  return (
    <Card
      title={`${formatDate(period.from)} – ${formatDate(period.to)}`}
      actions={<a href="?first=2000-01-01">All days</a>}
    >
      <Facts facts={facts} />
    </Card>
  )
}

/** What was typed, as a row of the feed. */
function readDay(texts: Texts, code: string) {
  const { day = "" } = texts
  const errors: Record<string, string> = isDate(day) ? {} : { day: "Enter a day, such as 2026-11-14." }
  const figures: Record<string, unknown> = {}
  for (const name of ["clicks", "conversions", "conversionValue"]) {
    const text = texts[name] ?? ""
    if (text === "") continue
    const isWhole = name !== "conversionValue"
    const read = readNumber(text, { isWhole })
    if ("error" in read) errors[name] = read.error
    // With every digit, as from JSON.
    else figures[name] = isWhole ? read.value : new Decimal(String(read.value))
  }
  const isEmpty = Object.keys(figures).length === 0
  if (isEmpty && !hasErrors(errors)) errors["clicks"] = "Enter at least one figure."
  return hasErrors(errors) ? { errors } : { row: { code, date: day, ...figures } }
}

export const deleteCodeForm = askFirst({
  async find(visit: MemberVisit) {
    const found = await findCode(visit)
    if (!found.isDeletable) throw new NotFound()
    return found
  },
  ask: (visit, { id, code }) => ({
    title: `Delete ${code}?`,
    text: "New figures for it will be rejected. This can’t be undone.",
    submit: "Delete code",
    cancel: `${affiliatesAddress(visit)}/${id}`,
  }),
  async act(visit, { id, code }) {
    const { context, actor, organization } = visit
    const isDeleted = await removeCode(context, actor, { organizationId: organization.id, id, code })
    const text = isDeleted ? `${code} is deleted.` : `${code} has figures by now, so it can’t be deleted.`
    return goTo(visit, affiliatesAddress(visit), text)
  },
})
