import { isDeepStrictEqual } from "node:util"
import { chooseSheet, saveAnswers } from "../../../actions/upload/answer.ts"
import { checkFile, type LoadedFile, loadFile, type OpenFile } from "../../../actions/upload/preview.ts"
import { bothReadings } from "../../../actions/upload/report.ts"
import type { Errors } from "../../../domain/errors.ts"
import { hasDayColumns, ONE_COLUMN_PER_DAY } from "../../../domain/upload/reading.ts"
import type { FileEntry } from "../../../domain/upload/result.ts"
import { cellOf, LISTED_MAX, NOTHING_READ, type RejectedRow, UPLOAD_KINDS } from "../../../domain/upload/upload.ts"
import { goTo } from "../../flash.ts"
import type { FormOf, FormState } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card } from "../../parts/blocks.tsx"
import { Radios } from "../../parts/choices.tsx"
import { Form } from "../../parts/form.tsx"
import { formatCount, formatNumber } from "../../parts/format.tsx"
import { type Column, Table } from "../../parts/table.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import {
  headingOf,
  KIND_NAMES,
  keyOf,
  loadOpenUpload,
  type OpenUpload,
  uploadAddress,
  uploadTrail,
} from "./find-upload.tsx"
import { Questions, readAnswers, textsOf } from "./questions.tsx"

interface BothReadingsProps {
  readonly loaded: LoadedFile
}

interface LineRow {
  readonly totals: FileEntry | undefined
  readonly daily: FileEntry | undefined
}

/**
 * Shows each line read as totals and as daily figures, with the same check as reporting. A script keeps it up to date.
 */
const BothReadings = (props: BothReadingsProps) => (
  <div id="both" data-updated>
    <Readings {...props} />
  </div>
)

function Readings({ loaded }: BothReadingsProps) {
  if (hasDayColumns(loaded.headings)) return <p class="hint">{ONE_COLUMN_PER_DAY}</p>
  const { columns } = loaded.answers.reading
  if (columns.impressions === undefined && columns.downloads === undefined) return null
  const { totals, daily } = bothReadings(loaded)
  const asDaily = columns.day === undefined ? [] : daily.entries
  const keys = [...new Set([...totals.entries, ...asDaily].map(({ key }) => key))]
  if (keys.length === 0) return <p class="hint">{whyNoLine(loaded, totals.rejected)}</p>
  const rows = keys.slice(0, LISTED_MAX).map((key): LineRow => {
    const isMeant = (entry: FileEntry) => entry.key === key
    return { totals: totals.entries.find(isMeant), daily: asDaily.find(isMeant) }
  })
  return (
    <Card title="What each line becomes" count={formatCount(keys.length, "line")} isFlush>
      <Table caption="What each line becomes under both readings" columns={COLUMNS} rows={rows} />
    </Card>
  )
}

function whyNoLine({ rows, answers, findLine, onlyLine }: LoadedFile, [first]: readonly RejectedRow[]): string {
  const { line } = answers.reading.columns
  const hasLine = onlyLine !== null || rows.some((row) => findLine(cellOf(row, line)) !== null)
  if (!hasLine) return "With these answers, no row belongs to one of your lines."
  return `No row of your lines can be read yet.${first === undefined ? "" : ` Row ${first.row}: ${first.message}`}`
}

const COLUMNS: readonly Column<LineRow>[] = [
  { title: "Line", cell: ({ totals, daily }) => (totals ?? daily)?.name },
  {
    title: "Now",
    isNumber: true,
    cell({ totals, daily }) {
      const before = (totals ?? daily)?.before ?? null
      return before === null ? <span class="soft">None yet</span> : formatNumber(before.quantity)
    },
  },
  { title: "As totals so far", isNumber: true, cell: ({ totals }) => <Becomes entry={totals} /> },
  { title: "As daily figures", isNumber: true, cell: ({ daily }) => <Becomes entry={daily} /> },
]

const Becomes = ({ entry }: { readonly entry: FileEntry | undefined }) =>
  entry === undefined ? (
    <span class="soft">Can’t be read</span>
  ) : (
    <>
      <b>{formatNumber(entry.after?.quantity ?? 0)}</b>
      {entry.question !== null && <small>{entry.question}</small>}
    </>
  )

const ROWS_SHOWN = 5
const CELL_CHARACTERS_MAX = 60

interface FirstRowsProps {
  readonly open: OpenUpload
  readonly address: string
}

/** The beginning of the table as it is in the file. */
function FirstRows({ open, address }: FirstRowsProps) {
  const { loaded, file } = open
  const { headings, rows } = loaded
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
      <section class="table" aria-label="First rows of the file" tabIndex={0}>
        <table class="dense">
          <caption class="vh">First rows of the file</caption>
          <thead>
            <tr>
              <th scope="col">Row</th>
              {headings.map((_, column) => (
                <th scope="col">{headingOf(headings, column)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, ROWS_SHOWN).map(({ number, cells }) => (
              <tr>
                <th scope="row">{number}</th>
                {headings.map((_, column) => (
                  <td>{(cells[column] ?? "").trim().slice(0, CELL_CHARACTERS_MAX)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <form class="card-foot" action={address}>
        <label>
          Row of the headings{" "}
          <input class="inline" name="headings" inputmode="numeric" size={4} value={file.answers.headerRow} />
        </label>{" "}
        <button type="submit" class="button small">
          Change
        </button>
        <span class="hint"> Rows above it are skipped. One column per day? Unpivot the table first.</span>
      </form>
    </>
  )
}

/** The page on which a person says how a file is read. Without scripts, it shows both readings once it's sent. */
export const readingForm: FormOf<MemberVisit, OpenReading> = {
  find: findOpenUpload,
  begin: (_, open) => ({ texts: { ...textsOf(open), ...withoutAnswers(open.askedAgain()) } }),
  preview: async () => ({}),
  view(visit, open, form) {
    if (open.file.answers.sheet === null) return sheetPage(visit, open, form)
    const errors = open.askedAgain()
    if (form.isSent || Object.keys(errors).length === 0) return readingPage(visit, open, form)
    return readingPage(visit, open, { ...form, errors, notes: { ...form.notes, "": ASKED_AGAIN } })
  },
  async save(visit, open, texts) {
    const { context } = visit
    const address = uploadAddress(visit, open.upload)
    const key = keyOf(visit, open.upload)
    if (texts["sheet"] !== undefined) {
      const isChosen = /^\d+$/.test(texts["sheet"]) && (await chooseSheet(context, key, Number(texts["sheet"])))
      return isChosen ? goTo(visit, address) : { errors: { sheet: "Choose a sheet." } }
    }
    const { answers, errors } = readAnswers(texts, open, visit)
    const isComplete = Object.keys(errors).length === 0
    const others = isComplete
      ? await saveAnswers(context, key, answers)
      : await checkAnswers(visit, { ...open.file, answers })
    if (others === null) throw new NotFound()
    const all = { ...errors, ...others }
    return Object.keys(all).length === 0 ? goTo(visit, address) : { errors: all }
  },
}

const ASKED_AGAIN =
  "Files with these headings were read before, but this one looks different. Answer the questions marked below again."

interface OpenReading extends OpenUpload {
  /** What must be answered again, although files with these headings were read before. */
  readonly askedAgain: () => Errors
}

const withoutAnswers = (errors: Errors) => Object.fromEntries(Object.keys(errors).map((field) => [field, ""]))

/** The address may choose another kind, another row of headings, or another sheet. */
async function findOpenUpload(visit: MemberVisit): Promise<OpenReading> {
  const { searchParams } = visit.url
  const kind = UPLOAD_KINDS.find((each) => each === searchParams.get("kind"))
  const headerRow = Number(searchParams.get("headings"))
  const change = (file: OpenFile): OpenFile => {
    const { answers } = file
    const isOther =
      (kind !== undefined && kind !== answers.reading.kind) || (headerRow > 0 && headerRow !== answers.headerRow)
    const reading = isOther ? { ...NOTHING_READ, kind: kind ?? answers.reading.kind } : answers.reading
    const sheet = searchParams.has("sheets") ? null : answers.sheet
    return {
      ...file,
      answers: { ...answers, sheet, reading, headerRow: headerRow > 0 ? headerRow : answers.headerRow },
    }
  }
  const open = await loadOpenUpload(visit, change)
  if (open === null) throw new NotFound()
  const { file, loaded } = open
  // The check takes a while for a large file, so it isn't made twice.
  let errors: Errors | null = file.answers.rememberedAt === null ? {} : null
  const askedAgain = () => {
    errors ??= checkFile(loaded).errors
    return errors
  }
  return { ...open, askedAgain }
}

async function checkAnswers({ read, organization, now }: MemberVisit, file: OpenFile) {
  const loaded = await loadFile(read, organization.id, file, now)
  return checkFile(loaded).errors
}

function sheetPage(visit: MemberVisit, { upload, file }: OpenUpload, form: FormState): Response {
  const choices = file.sheets.map(({ name, rows }, index) => {
    return { value: String(index), label: name, note: formatCount(rows.length, "row") }
  })
  return page(visit, {
    title: upload.fileName,
    trail: uploadTrail(visit),
    form,
    body: (
      <Form action={`${uploadAddress(visit, upload)}/reading`} submit="Read this sheet">
        <Radios name="sheet" label="Which sheet has the table?" choices={choices} />
      </Form>
    ),
  })
}

async function readingPage(visit: MemberVisit, open: OpenUpload, form: FormState): Promise<Response> {
  const { upload, file } = open
  const address = uploadAddress(visit, upload)
  const { kind } = file.answers.reading
  const { answers } = readAnswers(form.texts, open, visit)
  const { read, organization, now } = visit
  const isAsStored = isDeepStrictEqual(answers, { ...file.answers, rememberedAt: null })
  const answered = isAsStored ? open.loaded : await loadFile(read, organization.id, { ...file, answers }, now)
  return page(visit, {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${KIND_NAMES[kind]} · ${formatCount(open.loaded.rows.length, "row")}`,
    actions: (
      <>
        {file.sheets.length > 1 && <ButtonLink kind="quiet" href={`${address}/reading?sheets`} label="Another sheet" />}
        <ButtonLink kind="quiet danger" href={`${address}/discard`} label="Discard" isAsked />
      </>
    ),
    form,
    body: (
      <>
        <Kinds visit={visit} kind={kind} />
        <Card title="First rows" isFlush>
          <FirstRows open={open} address={visit.url.pathname} />
        </Card>
        <Form
          action={visit.url.pathname + visit.url.search}
          submit="Show the preview"
          note="Nothing is reported yet."
          hasPreview
        >
          <Card title="How is it read?">
            <div class="stack">
              <Questions open={open} answered={answered} form={form} />
            </div>
          </Card>
          {kind === "delivery" && <BothReadings loaded={answered} />}
        </Form>
      </>
    ),
  })
}

interface KindsProps {
  readonly visit: MemberVisit
  readonly kind: string
}

const Kinds = ({ visit, kind }: KindsProps) => (
  <nav class="seg" aria-label="What the file has">
    {UPLOAD_KINDS.map((each) => (
      <a href={`${visit.url.pathname}?kind=${each}`} aria-current={each === kind ? "true" : undefined}>
        {KIND_NAMES[each]}
      </a>
    ))}
  </nav>
)
