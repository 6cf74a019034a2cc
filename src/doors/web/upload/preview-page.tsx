import type { UploadedFile } from "../../../actions/upload/checked-row.ts"
import { type Preview, previewOf } from "../../../actions/upload/preview.ts"
import { meaningOf } from "../../../domain/upload/columns.ts"
import type { LinesAndRows, PreviewedLine, Upload } from "../../../domain/upload/upload.ts"
import { LINES_ON_A_PAGE, rowsOf } from "../../../domain/upload/upload.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { Badge, Banner, ButtonLink, Card, Facts, type Look, LookBadge, Stats, Submit } from "../parts/blocks.tsx"
import { formatChange } from "../parts/charts/total-chart.tsx"
import { RadioCards, Tick } from "../parts/form/choices.tsx"
import { Form } from "../parts/form/form.tsx"
import { formatCount, formatNumber, Time } from "../parts/format.tsx"
import { campaignAndBuyer } from "../parts/line.tsx"
import { BareTable, type Column, offsetOf, Pages } from "../parts/table.tsx"
import { questionText } from "../totals/question-text.ts"
import type { OrganizationVisit } from "../visit.ts"
import { LeftOut, Problems } from "./left-out.tsx"
import { ChosenNames, NotYours, namesIn } from "./names.tsx"
import { addressOf, baseOf, uploadPage } from "./upload-page.tsx"

/** All about a file that somebody decides about: how it was read, what it will do, and what is left out and why. */
export async function filePreview(visit: OrganizationVisit, file: UploadedFile): Promise<Response> {
  const preview = await previewOf(visit.context, file)
  const { upload } = preview
  const body = [
    upload.summary.notice !== "" && (
      <Banner tone="warn" live>
        <p>{upload.summary.notice}</p>
      </Banner>
    ),
    <HowItWasRead visit={visit} file={file} />,
    <Counts upload={upload} what={upload.kind === "delivery" ? "line" : "code"} />,
    await whatItWillDo(visit, preview),
    <ChosenNames visit={visit} upload={upload} chosen={preview.chosen} />,
    <LeftOut visit={visit} upload={upload} />,
    <Problems visit={visit} upload={upload} />,
    <NotYours visit={visit} upload={upload} {...(await namesIn(visit, upload))} />,
  ]
  return uploadPage(visit, upload, body)
}

async function whatItWillDo(visit: OrganizationVisit, { upload, lines: all, digest }: Preview) {
  const offset = offsetOf(visit.url, "from")
  const lines = all.slice(offset, offset + LINES_ON_A_PAGE)
  const stored = await storedLines(visit, lines)
  const count = linesOf(upload)
  const isDelivery = upload.kind === "delivery"
  const what = isDelivery ? "line" : "code"
  const address = addressOf(visit, upload)
  if (count === 0)
    return (
      <div class="save">
        <ButtonLink kind="primary" href={`${address}/columns`} label="Change how it is read" />
        <ButtonLink href={baseOf(visit)} label="Choose another file" />
        <span class="hint">Nothing in this file can be reported yet.</span>
      </div>
    )
  return (
    <form class="stack" method="post" action={`${address}/report`}>
      <input type="hidden" name="seen" value={digest} />
      <Card flush title="What it will do" count={formatCount(count, what)}>
        <BareTable
          caption={isDelivery ? "What each line’s total becomes" : "What is reported for each code"}
          columns={isDelivery ? totalColumns(visit, lines, stored) : CODE_COLUMNS}
          rows={lines}
        />
        <Pages url={visit.url} perPage={LINES_ON_A_PAGE} count={count} what={`${what}s`} />
      </Card>
      <Report upload={upload} />
    </form>
  )
}

const FIGURES_IN_WORDS: Readonly<Record<string, string>> = {
  cumulative: "Each row is the total so far",
  daily: "Each row is one day, added up",
  events: "Each row counts as one",
  lifetime: "Each row is a part of the total, without a day",
}
const FIRST = { day_first: "Day first", month_first: "Month first" }
const NUMBERS = {
  grouped: "1.000 is one thousand",
  decimal: "1.000 is one",
  ".": "Decimals after a point, as other figures show",
  ",": "Decimals after a comma, as other figures show",
}

/** Each with a way to change it. */
function HowItWasRead({
  visit,
  file: { upload, table },
}: {
  readonly visit: OrganizationVisit
  readonly file: UploadedFile
}) {
  const { kind, choices } = upload
  const { readAsAt, sheets, sheet, dates, numbers, columns } = choices
  const address = addressOf(visit, upload)
  const used = table.header.flatMap((name, i) => {
    const meaning = meaningOf(kind, columns?.[i] ?? "")
    return meaning === undefined ? [] : [`${name || "(no name)"} is ${meaning.label}`]
  })
  const change = (what: string, path = "columns") => (
    <a href={`${address}/${path}`} aria-label={`Change: ${what}`}>
      Change
    </a>
  )
  const fact = (term: string, text: string, path?: string) => ({
    term,
    value: [text, " ", change(term, path)],
  })
  return (
    <Card
      title="How it was read"
      actions={
        readAsAt !== null && (
          <form class="actions" method="post" action={`${address}/forget`}>
            <span class="soft">
              Read as on <Time at={readAsAt} />
            </span>
            <Submit small label="Forget" />
          </form>
        )
      }
    >
      <Facts
        facts={[
          sheets.length > 1 && fact("Sheet", sheets[sheet ?? 0] ?? "", "sheet"),
          fact("Columns", used.join(" · ")),
          kind === "delivery" && fact("Figures", FIGURES_IN_WORDS[rowsOf(choices)] ?? ""),
          dates !== null && fact("Days", FIRST[dates]),
          numbers !== null && fact("Numbers", NUMBERS[numbers]),
        ]}
      />
    </Card>
  )
}

/** Which sheet of a workbook is meant. */
export function sheetPage(visit: OrganizationVisit, upload: Upload): Response {
  const choices = upload.choices.sheets.map((label, index) => ({ value: String(index), label }))
  const body = (
    <Form
      action={`${addressOf(visit, upload)}/sheet`}
      submit="Read this sheet"
      cancel={baseOf(visit)}
      cancelLabel="Choose another file"
      values={{ sheet: String(upload.choices.sheet ?? "") }}
      errors={{}}
    >
      <Card label="The sheet">
        <RadioCards name="sheet" label="Which sheet has the figures?" choices={choices} />
      </Card>
    </Form>
  )
  return uploadPage(visit, upload, body)
}

/** What is stored of lines, by their ids. */
export async function storedLines(
  { context, organization }: OrganizationVisit,
  lines: readonly { readonly id: number }[],
) {
  const ids = lines.map(({ id }) => id)
  const stored = await context.store.campaigns.flyingLines(organization.id, ids)
  return new Map(stored.map((line) => [line.lineId, line]))
}

const linesOf = ({ summary: { update, asked, unchanged, older } }: Upload) =>
  update.lines + asked.lines + unchanged.lines + older.lines

function Counts({ upload, what }: { readonly upload: Upload; readonly what: string }) {
  const { update, asked, unchanged, older, refused, ignored } = upload.summary
  const same = { lines: unchanged.lines + older.lines, rows: unchanged.rows + older.rows }
  const figure = (term: string, { lines, rows }: LinesAndRows, about: string) => {
    const note = rows === 0 ? undefined : `${formatCount(rows, "row")}${about && `, ${about}`}`
    return { term, value: formatCount(lines, what), note }
  }
  // One row has no order.
  const order = update.rows === 1 ? "" : "in order of date"
  return (
    <Stats
      facts={[
        figure("Will update", update, order),
        asked.lines > 0 && { ...figure("To confirm", asked, "unusual"), tone: "warn" },
        figure("No change", same, "already known, or older"),
        { term: "Refused", value: formatCount(refused, "row"), tone: refused > 0 ? "bad" : undefined },
        ignored > 0 && { term: "Ignored", value: formatCount(ignored, "row") },
      ]}
    />
  )
}

function Report({ upload }: { readonly upload: Upload }) {
  const { update, asked, unchanged, older } = upload.summary
  const rows = update.rows + unchanged.rows + older.rows
  // More than a page of them cannot be ticked one by one.
  const isAll = asked.lines > LINES_ON_A_PAGE
  return [
    isAll && (
      <Tick
        name="anyway_all"
        label={`Report the ${formatCount(asked.lines, "unusual line")} too. I have checked them.`}
      />
    ),
    <div class="save">
      <Submit kind="primary" label={rows === 0 ? "Report the ticked lines" : `Report ${formatCount(rows, "row")}`} />
      <span class="hint">
        Nothing is saved until you press Report.
        {asked.lines > 0 && " Unusual lines are left out unless you tick them."}
      </span>
    </div>,
  ]
}

/** Where a line of the file belongs; what the file calls it once it is gone. */
export const noteOf = (line: FlyingLine | undefined, ref: string) => (line === undefined ? ref : campaignAndBuyer(line))

function totalColumns(
  { organization: { timeZone } }: OrganizationVisit,
  lines: readonly PreviewedLine[],
  stored: ReadonlyMap<number, FlyingLine>,
): Column<PreviewedLine>[] {
  const decision: Column<PreviewedLine> = {
    title: "Decision",
    narrow: "span",
    cell: ({ id, name, question, asked }) =>
      question !== null && [
        <span class="soft">{questionText(question, asked, timeZone)}</span>,
        <Tick name="anyway" value={String(id)} label="Report it anyway" about={`Report it anyway: ${name}`} />,
      ],
  }
  return [
    {
      title: "Line",
      value: ({ name }) => name,
      href: () => undefined,
      note: ({ id, ref }) => noteOf(stored.get(id), ref),
    },
    { title: "Rows", value: ({ rows }) => formatNumber(rows), numeric: true, narrow: "no-tablet" },
    {
      title: "Current total",
      cell: ({ before }) => <span class="soft">{before === null ? "None yet" : formatNumber(before.quantity)}</span>,
      numeric: true,
    },
    {
      title: "New total",
      cell: ({ total }) => <b>{total === null ? "" : formatNumber(total.quantity)}</b>,
      numeric: true,
    },
    { title: "Change", value: changeText, numeric: true },
    {
      title: "As of",
      cell: ({ total }) => total !== null && <Time at={total.asOf} />,
      nowrap: true,
      narrow: "no-tablet",
    },
    {
      title: "Result",
      cell: ({ result, question }) => <LookBadge look={RESULTS[question?.kind === "lower" ? "lower" : result]} />,
      narrow: "corner",
    },
    ...(lines.some(({ question }) => question !== null) ? [decision] : []),
  ]
}

function changeText({ before, total, result }: PreviewedLine): string {
  if (total === null || result === "older") return "–"
  return formatChange(total.quantity - (before?.quantity ?? 0))
}

const RESULTS: Readonly<Record<PreviewedLine["result"] | "lower", Look>> = {
  update: ["good", "dot", "Will update"],
  asked: ["warn", "dot", "Unusual"],
  lower: ["warn", "down", "Lower"],
  unchanged: ["off", "word", "No change"],
  older: ["off", "word", "Older"],
}

const CODE_COLUMNS: readonly Column<PreviewedLine>[] = [
  { title: "Code", cell: ({ name }) => <code>{name}</code> },
  { title: "Rows", value: ({ rows }) => formatNumber(rows), numeric: true },
  { title: "What", value: ({ text }) => text },
  { title: "Result", cell: () => <Badge tone="good">Will be saved</Badge>, narrow: "corner" },
]
