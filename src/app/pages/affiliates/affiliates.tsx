import { recordAffiliateCodes } from "../../../actions/affiliates.ts"
import { CODE_CHARACTERS_MAX, type Figures, SLUG_CHARACTERS_MAX } from "../../../domain/affiliate.ts"
import { formSource } from "../../../domain/delivery/delivery.ts"
import type { CalendarDate } from "../../../domain/time/moment.ts"
import { codesByName, type Period } from "../../../storage/campaigns/affiliates.ts"
import { linesSoldBy, type StoredLine } from "../../../storage/campaigns/lines.ts"
import { onlyBuys } from "../../../storage/organizations.ts"
import { campaignsAddress, lineAddress } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, type FormOf } from "../../forms/form.ts"
import { csvFile, type List, selectRows } from "../../list.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card, CsvLink, Empty } from "../../parts/blocks.tsx"
import { Question, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { FilterBar } from "../../parts/filters.tsx"
import { Form } from "../../parts/form.tsx"
import { formatDate } from "../../parts/format.tsx"
import { ListView } from "../../parts/list.tsx"
import { type Column, Name } from "../../parts/table.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"
import { type CodeRow, clicksPerDay, daysOf, type FoundCodes, figureColumns, findCodes, sumsBy } from "./codes.tsx"

export async function affiliatesPage(visit: MemberVisit): Promise<Response> {
  const { read, organization, url } = visit
  const isBuyer = await onlyBuys(read, organization.id)
  const found = await findCodes(visit)
  const days = await listedDays(visit, found)
  const address = `${homeOf(visit)}/affiliates`
  return page(visit, {
    title: "Affiliates",
    intro: "Affiliate codes with their clicks, conversions and value.",
    actions: !isBuyer && <ButtonLink kind="primary" icon="plus" href={`${address}/new`} label="New code" />,
    body:
      found.rows.length === 0 ? (
        noCodes(visit, isBuyer)
      ) : (
        <>
          {periodFilter(url, found.period)}
          {days.length > 0 && (
            <Card title="Day by day" actions={<CsvLink href={`${address}/days.csv${url.search}`} />}>
              {clicksPerDay(days)}
            </Card>
          )}
          <ListView list={codeList(visit)} rows={found.rows} url={url} />
        </>
      ),
  })
}

/** The days of all codes that the page lists. */
const listedDays = (visit: MemberVisit, { rows, period }: FoundCodes) =>
  daysOf(visit, selectRows(codeList(visit), rows, visit.url).rows, period)

/** The days of all codes that the page lists, or of one code. Each currency of a day has a row. */
export async function affiliateDaysFile(visit: MemberVisit): Promise<Response> {
  const code = visit.url.searchParams.get("code")
  const days = await listedDays(visit, await findCodes(visit, code === null ? undefined : Number(code)))
  const rows = [...Map.groupBy(days, ({ date }) => date)].flatMap(([date, ofDay]) =>
    sumsBy(ofDay, ({ currency }) => currency).map(([currency, sums]) => ({ date, currency, ...sums })),
  )
  return csvFile("affiliate-days", FILE_COLUMNS, rows)
}

interface FileRow extends Figures {
  readonly date: CalendarDate
  readonly currency: string | null
}

const FILE_COLUMNS: readonly Column<FileRow>[] = [
  { title: "Day", csv: ({ date }) => date },
  ...figureColumns<FileRow>(({ currency }) => currency),
  { title: "Currency", csv: ({ currency }) => currency },
]

const noCodes = (visit: MemberVisit, isBuyer: boolean) =>
  isBuyer ? (
    <Empty title="No affiliate codes yet" text="Codes of lines that you buy appear here." />
  ) : (
    <Empty
      title="No affiliate codes yet"
      text="Add codes here, upload them, or send them through the API. Each code belongs to one line."
    >
      <ButtonLink href={`${homeOf(visit)}/upload`} label="Upload a file" />
    </Empty>
  )

const periodFilter = (url: URL, { from, to }: Period) => (
  <FilterBar url={url} fields={["first", "last"]} hasButton>
    <input type="date" name="first" aria-label="First day" value={from} />
    <input type="date" name="last" aria-label="Last day" value={to} />
  </FilterBar>
)

function codeList(visit: MemberVisit): List<CodeRow> {
  const { url } = visit
  const period = new URLSearchParams([...url.searchParams].filter(([name]) => name === "first" || name === "last"))
  const query = period.size === 0 ? "" : `?${period}`
  return {
    name: "codes",
    searched: "codes, lines and campaigns",
    textsOf: ({ code, slug, line }) => [code, slug ?? "", line.name, line.campaign.name],
    states: {
      reported: { label: "With figures", has: ({ lastDate }) => lastDate !== null },
      silent: { label: "Without", has: ({ lastDate }) => lastDate === null },
    },
    // The page says more if there are none.
    empty: null,
    columns: [
      {
        title: "Code",
        cell: ({ code, codeId }) => <Name href={`${homeOf(visit)}/affiliates/${codeId}${query}`}>{code}</Name>,
        sort: ({ code }) => code,
      },
      {
        title: "Line",
        onPhone: "wide",
        cell: ({ line, isCurrent }) => (
          <>
            <a href={lineAddress(visit, line.campaign, line)}>{line.name}</a>
            <small>{isCurrent ? line.campaign.name : `${line.campaign.name}, until the code was moved`}</small>
          </>
        ),
        sort: ({ line }) => line.name,
      },
      ...figureColumns<CodeRow>(({ line }) => line.currency),
      {
        title: "Last day",
        cell: ({ lastDate }) => (
          <span class="soft">{lastDate === null ? "None in this period" : formatDate(lastDate)}</span>
        ),
        sort: ({ lastDate }) => lastDate,
      },
    ],
  }
}

type Lines = readonly StoredLine[]

export const newCodeForm: FormOf<MemberVisit, Lines> = {
  find: ({ read, organization }) => linesSoldBy(read, organization.id),
  begin: ({ url }) => ({ texts: { line: url.searchParams.get("line") ?? "" } }),
  view(visit, lines) {
    const address = `${homeOf(visit)}/affiliates`
    const choices = lines.map(({ packageId, name, campaign }) => ({
      value: packageId,
      label: `${name} (${campaign.name})`,
    }))
    return {
      title: "New affiliate code",
      trail: [{ href: address, label: "Affiliates" }],
      intro: "Each code belongs to one line.",
      body:
        lines.length === 0 ? (
          <Empty title="No lines yet" text="Codes belong to lines. Add a line first.">
            <ButtonLink href={campaignsAddress(visit)} label="All campaigns" />
          </Empty>
        ) : (
          <section class="card narrow">
            <Form submit="Save code" cancel={address}>
              <Select name="line" label="Line" choices={[{ value: "", label: "Choose a line" }, ...choices]} required />
              <Field
                name="code"
                label="Code"
                hint="As customers type it, such as AUTUMN10. Codes are case-sensitive."
                maxlength={CODE_CHARACTERS_MAX}
                required
              />
              <Question name="code" label="Move it to this line" />
              <Field
                name="slug"
                label="Slug"
                hint="Links may use it in place of the code, such as autumn-10."
                maxlength={SLUG_CHARACTERS_MAX}
              />
            </Form>
            <p class="hint">
              Many codes at once? <a href={`${homeOf(visit)}/upload`}>Upload a file</a>.
            </p>
          </section>
        ),
    }
  },
  async save(visit, lines, texts) {
    const { context, actor, organization } = visit
    const { line = "", code = "", slug = "" } = texts
    if (line === "") return { errors: { line: "Choose a line." } }
    if (code === "") return { errors: { code: "Enter a code." } }
    const question = await moveQuestion(visit, lines, { line, code })
    if (question !== null && confirmationsIn(texts)["code"] !== question) return { questions: { code: question } }
    const reporter = { sellerId: organization.id, source: formSource(actor) }
    const row = { packageId: line, code, ...(slug !== "" && { slug }) }
    const { errors } = await recordAffiliateCodes(context, reporter, [row], { isDryRun: false })
    const [rejection] = errors
    if (rejection === undefined) return goTo(visit, `${homeOf(visit)}/affiliates`, `${code} is saved.`)
    return { errors: { [fieldOf(rejection.message)]: rejection.message } }
  },
}

/** Asks before a known code is moved. Null if the code is new, or belongs to the line already. */
async function moveQuestion(
  { read, organization }: MemberVisit,
  lines: Lines,
  { line, code }: { line: string; code: string },
) {
  const stored = (await codesByName(read, organization.id, [code])).get(code)
  const before = lines.find(({ id }) => id === stored?.lineId)
  if (before === undefined || before.packageId === line) return null
  return `${code} belongs to ${before.name} (${before.campaign.name}). If you move it, past days stay with that line, and new days belong to the new one.`
}

/** Messages begin with the field of the API that they are about. */
function fieldOf(message: string): "line" | "code" | "slug" {
  if (message.startsWith("packageId")) return "line"
  return message.startsWith("slug") ? "slug" : "code"
}
