import { chooseSheet, saveAnswers } from "../../../actions/upload/answer.ts"
import { checkFile, loadFile, type OpenFile } from "../../../actions/upload/preview.ts"
import { NOTHING_READ, UPLOAD_KINDS } from "../../../domain/upload/upload.ts"
import { goTo } from "../../flash.ts"
import type { FormOf, FormState } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card } from "../../parts/blocks.tsx"
import { Radios } from "../../parts/choices.tsx"
import { Form } from "../../parts/form.tsx"
import { formatCount } from "../../parts/format.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import { BothReadings } from "./both-readings.tsx"
import { KIND_NAMES, keyOf, loadOpenUpload, type OpenUpload, uploadAddress, uploadTrail } from "./find-upload.ts"
import { FirstRows } from "./first-rows.tsx"
import { Questions } from "./questions.tsx"
import { readAnswers, textsOf } from "./read-answers.ts"

/** The page on which a person says how a file is read. Without scripts, it shows both readings once it's sent. */
export const readingForm: FormOf<MemberVisit, OpenUpload> = {
  find: findOpenUpload,
  begin: (_, open) => ({ texts: textsOf(open) }),
  preview: async () => ({}),
  view: (visit, open, form) =>
    open.file.answers.sheet === null ? sheetPage(visit, open, form) : readingPage(visit, open, form),
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

/** The address may choose another kind, another row of headings, or another sheet. */
async function findOpenUpload(visit: MemberVisit): Promise<OpenUpload> {
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
  return open
}

async function checkAnswers({ context, organization, now }: MemberVisit, file: OpenFile) {
  const loaded = await loadFile(context.database.read, organization.id, file, now)
  return checkFile(loaded, file.answers.reading.figures).errors
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
  const { context, organization, now } = visit
  const answered = await loadFile(context.database.read, organization.id, { ...file, answers }, now)
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
              <Questions open={open} form={form} />
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
