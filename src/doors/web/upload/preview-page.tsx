import type { Preview } from "../../../actions/upload/preview.ts"
import type { LinesAndRows, PreviewedLine, Upload } from "../../../domain/upload/upload.ts"
import { PREVIEW_PAGE_LINES } from "../../../domain/upload/upload.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import { Badge, Banner, ButtonLink, Card, type Look, LookBadge, Stats, Submit } from "../parts/blocks.tsx"
import { formatChange } from "../parts/charts/total-chart.tsx"
import { Tick } from "../parts/form/choices.tsx"
import { formatCount, formatNumber, Time } from "../parts/format.tsx"
import { campaignAndBuyer } from "../parts/line.tsx"
import { BareTable, type Column, offsetOf, Pages } from "../parts/table.tsx"
import { questionText } from "../totals/question-text.ts"
import type { OrganizationVisit } from "../visit.ts"
import { ChosenNames, NotYours, namesIn } from "./names.tsx"
import { LeftOut, Problems, progressPage } from "./progress.tsx"
import { addressOf, baseOf, type OfUpload, uploadPage } from "./upload-page.tsx"

export async function previewPage(visit: OrganizationVisit, stored: Upload): Promise<Response> {
  const preview = await visit.context.uploads.preview(stored)
  return typeof preview === "number" ? progressPage(visit, { ...stored, rowsDone: preview }) : show(visit, preview)
}

async function show(visit: OrganizationVisit, preview: Preview): Promise<Response> {
  const { upload, digest } = preview
  const { summary } = upload
  const offset = offsetOf(visit.url, "from")
  const lines = preview.lines.slice(offset, offset + PREVIEW_PAGE_LINES)
  const stored = await storedLines(visit, lines)
  const count = linesOf(upload)
  const isDelivery = upload.kind === "delivery"
  const what = isDelivery ? "line" : "code"
  const body = [
    summary.notice !== "" && (
      <Banner tone="warn" live>
        <p>{summary.notice}</p>
      </Banner>
    ),
    <Counts upload={upload} what={what} />,
    <LeftOut visit={visit} upload={upload} />,
    <ReadAs visit={visit} upload={upload} />,
    <Problems visit={visit} upload={upload} />,
    <ChosenNames visit={visit} upload={upload} chosen={preview.chosen} />,
    <NotYours visit={visit} upload={upload} {...(await namesIn(visit, upload))} />,
    count === 0 ? (
      <div class="save">
        <ButtonLink kind="primary" href={`${addressOf(visit, upload)}/columns`} label="Change the columns" />
        <ButtonLink href={baseOf(visit)} label="Choose another file" />
        <span class="hint">Nothing in this file can be reported yet.</span>
      </div>
    ) : (
      <form class="stack" method="post" action={`${addressOf(visit, upload)}/report`}>
        <input type="hidden" name="seen" value={digest} />
        <Card flush title="Preview" count={formatCount(count, what)}>
          <BareTable
            caption={isDelivery ? "What each line’s total becomes" : "What is reported for each code"}
            columns={isDelivery ? totalColumns(visit, lines, stored) : CODE_COLUMNS}
            rows={lines}
          />
          <Pages url={visit.url} perPage={PREVIEW_PAGE_LINES} count={count} what={`${what}s`} />
        </Card>
        <Report visit={visit} upload={upload} />
      </form>
    ),
  ]
  return uploadPage(visit, upload, body)
}

/** What is stored of lines, by their ids. */
export async function storedLines({ context, organization }: OrganizationVisit, lines: readonly PreviewedLine[]) {
  const ids = lines.map(({ id }) => id)
  const stored = await context.store.campaigns.flyingLines(organization.id, ids)
  return new Map(stored.map((line) => [line.lineId, line]))
}

/** A file that is read as somebody said of one with the same headings. */
function ReadAs({ visit, upload }: OfUpload) {
  const { readAsAt } = upload.choices
  if (readAsAt === null) return null
  const address = addressOf(visit, upload)
  return (
    <Banner tone="info">
      <p>
        Read as on <Time at={readAsAt} />, when somebody said how files with these headings are read.
      </p>
      <form class="actions" method="post" action={`${address}/forget`}>
        <ButtonLink small href={`${address}/columns`} label="Change" />
        <Submit small label="Forget" />
      </form>
    </Banner>
  )
}

export const linesOf = ({ summary: { update, asked, unchanged } }: Upload) =>
  update.lines + asked.lines + unchanged.lines

function Counts({ upload, what }: { readonly upload: Upload; readonly what: string }) {
  const { update, asked, unchanged, refused, ignored } = upload.summary
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
        figure("No change", unchanged, "already known, or older"),
        { term: "Refused", value: formatCount(refused, "row"), tone: refused > 0 ? "bad" : undefined },
        ignored > 0 && { term: "Ignored", value: formatCount(ignored, "row") },
      ]}
    />
  )
}

function Report({ visit, upload }: OfUpload) {
  const { update, asked, unchanged } = upload.summary
  const rows = update.rows + unchanged.rows
  // More than a page of them cannot be ticked one by one.
  const isAll = asked.lines > PREVIEW_PAGE_LINES
  return [
    isAll && (
      <Tick
        name="anyway_all"
        label={`Report the ${formatCount(asked.lines, "unusual line")} too. I have checked them.`}
      />
    ),
    <div class="save">
      <Submit kind="primary" label={rows === 0 ? "Report the ticked lines" : `Report ${formatCount(rows, "row")}`} />
      <ButtonLink href={`${addressOf(visit, upload)}/columns`} label="Change the columns" />
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
        <Tick name="anyway" value={String(id)} label="Report it anyway" about={`Report ${name} anyway`} />,
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
      title: "Measured",
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
