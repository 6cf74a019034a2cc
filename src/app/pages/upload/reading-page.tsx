import { isDeepStrictEqual } from "node:util"
import { chooseSheet, saveAnswers } from "../../../actions/upload/answer.ts"
import { checkFile, type FilePreview, type OpenFile } from "../../../actions/upload/preview.ts"
import type { Errors } from "../../../domain/errors.ts"
import { NOTHING_READ, UPLOAD_KINDS, type UploadKind } from "../../../domain/upload/upload.ts"
import { goTo } from "../../flash.ts"
import type { FormOf, FormState } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Card } from "../../parts/blocks.tsx"
import { Radios } from "../../parts/choices.tsx"
import { Form } from "../../parts/form.tsx"
import { formatCount } from "../../parts/format.tsx"
import { type MemberVisit, NotFound } from "../../visit.ts"
import {
  findOpenUpload,
  KIND_NAMES,
  keyOf,
  loadIn,
  type OpenUpload,
  uploadAddress,
  uploadTrail,
} from "./open-upload.tsx"
import { Questions, readAnswers, textsOf } from "./questions.tsx"
import { FirstRows, ReadingsTable, readingsOf } from "./reading-tables.tsx"

interface OpenReading extends OpenUpload {
  /** The preview of a file that is read as before. Its errors must be answered again. */
  readonly checked: FilePreview | null
}

const askedAgain = ({ checked }: OpenReading): Errors => checked?.errors ?? {}

/** The page on which a person says how a file is read. Without scripts, it shows both readings once it's sent. */
export const readingForm: FormOf<MemberVisit, OpenReading> = {
  async find(visit) {
    const { upload, file: stored } = await findOpenUpload(visit)
    const file = changedBy(visit.url, stored)
    const loaded = await loadIn(visit, file)
    return { upload, file, loaded, checked: loaded.isRemembered ? checkFile(loaded) : null }
  },
  begin(visit, open) {
    const emptied = Object.keys(askedAgain(open)).map((field) => [field, ""])
    return { texts: { ...textsOf(open, visit.timeZone), ...Object.fromEntries(emptied) } }
  },
  preview: async () => ({}),
  view(visit, open, form) {
    const errors = askedAgain(open)
    if (open.file.answers.sheet === null) return sheetPage(visit, open, form)
    if (form.isSent || Object.keys(errors).length === 0) return readingPage(visit, open, form)
    return readingPage(visit, open, { ...form, errors, notes: { ...form.notes, "": ASKED_AGAIN } })
  },
  async save(visit, open, texts) {
    const { context } = visit
    const { upload, file } = open
    const [address, key] = [uploadAddress(visit, upload), keyOf(visit, upload)]
    if (texts["sheet"] !== undefined) {
      const sheet = file.sheets.findIndex((_, index) => String(index) === texts["sheet"])
      if (sheet < 0) return { errors: { sheet: "Choose a sheet." } }
      if (!(await chooseSheet(context, key, sheet))) throw new NotFound()
      return goTo(visit, address)
    }
    const { answers, errors: ofForm } = readAnswers(texts, open, visit.timeZone)
    const errors = { ...ofForm, ...checkFile(await loadIn(visit, { ...file, answers })).errors }
    if (Object.keys(errors).length > 0) return { errors }
    if (!(await saveAnswers(context, key, answers))) throw new NotFound()
    return goTo(visit, address)
  },
}

const ASKED_AGAIN = "Files with these headings were read before. Answer only the questions that are marked below."

/** The address may choose another kind, another row of headings, or another sheet. Then everything else is asked again. */
function changedBy({ searchParams }: URL, file: OpenFile): OpenFile {
  const { answers } = file
  const kind = UPLOAD_KINDS.find((each) => each === searchParams.get("kind")) ?? answers.reading.kind
  const headerRow = Number(searchParams.get("headings")) || answers.headerRow
  const isSame = kind === answers.reading.kind && headerRow === answers.headerRow
  const reading = isSame ? answers.reading : { ...NOTHING_READ, kind }
  const sheet = searchParams.has("sheets") ? null : answers.sheet
  const rememberedAt = isSame ? answers.rememberedAt : null
  return { ...file, answers: { ...answers, sheet, headerRow, reading, rememberedAt } }
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

async function readingPage(visit: MemberVisit, open: OpenReading, form: FormState): Promise<Response> {
  const { upload, file, loaded } = open
  const { url } = visit
  const address = uploadAddress(visit, upload)
  const { kind } = file.answers.reading
  const { answers } = readAnswers(form.texts, open, visit.timeZone)
  const isAsStored = isDeepStrictEqual(answers, { ...file.answers, rememberedAt: null })
  const answered = isAsStored ? loaded : await loadIn(visit, { ...file, answers })
  const readings = kind === "delivery" ? await readingsOf(answered, isAsStored ? open.checked : null) : null
  const checked = kind === "delivery" ? (readings?.daily ?? null) : checkFile(answered)
  return page(visit, {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${KIND_NAMES[kind]} · ${formatCount(loaded.rows.length, "row")}`,
    actions: (
      <>
        {file.sheets.length > 1 && <ButtonLink kind="quiet" href={`${address}/reading?sheets`} label="Another sheet" />}
        <ButtonLink kind="quiet danger" href={`${address}/discard`} label="Discard" isAsked />
      </>
    ),
    form,
    body: (
      <>
        <Kinds path={url.pathname} kind={kind} />
        <FirstRows loaded={loaded} headerRow={file.answers.headerRow} path={url.pathname} />
        <Form action={url.pathname + url.search} submit="Show the preview" note="Nothing is reported yet." hasPreview>
          <Card title="How is it read?">
            <div class="stack">
              <Questions open={open} answered={answered} checked={checked} />
            </div>
          </Card>
          {kind === "delivery" && <ReadingsTable loaded={answered} readings={readings} />}
        </Form>
      </>
    ),
  })
}

const Kinds = ({ path, kind }: { readonly path: string; readonly kind: UploadKind }) => (
  <nav class="seg" aria-label="What the file has">
    {UPLOAD_KINDS.map((each) => (
      <a href={`${path}?kind=${each}`} aria-current={each === kind ? "true" : undefined}>
        {KIND_NAMES[each]}
      </a>
    ))}
  </nav>
)
