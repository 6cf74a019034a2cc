import { chooseSheet, openFile, saveAnswers } from "../../../actions/upload/answer.ts"
import { checkFile, type FilePreview, type LoadedFile, type OpenFile } from "../../../actions/upload/preview.ts"
import { hasErrors } from "../../../domain/errors.ts"
import type { TimeZone } from "../../../domain/time/time-zone.ts"
import { NOTHING_READ, UPLOAD_KINDS } from "../../../domain/upload/upload.ts"
import type { StoredUpload } from "../../../storage/uploads.ts"
import { goTo } from "../../flash.ts"
import type { FormOf, FormState } from "../../forms/form.ts"
import type { Page } from "../../page.tsx"
import { ButtonLink, Card } from "../../parts/blocks.tsx"
import { Radios } from "../../parts/choices.tsx"
import { Form } from "../../parts/form.tsx"
import { formatCount } from "../../parts/format.tsx"
import { type MemberVisit, orNotFound } from "../../visit.ts"
import { readAnswers, textsOf } from "./answers.ts"
import { findUpload, KIND_NAMES, keyOf, loadIn, uploadAddress, uploadTrail } from "./open-upload.tsx"
import { Questions } from "./questions.tsx"
import { FirstRows, ReadingsTable, readingsOf } from "./reading-tables.tsx"

interface OpenUpload {
  readonly upload: StoredUpload
  readonly file: OpenFile
}

/** The page on which a person says how a file is read. Without scripts, it shows both readings once it's sent. */
export const readingForm: FormOf<MemberVisit, OpenUpload> = {
  async find(visit) {
    const upload = await findUpload(visit)
    return { upload, file: changedBy(visit.url, orNotFound(openFile(upload))) }
  },
  view: (visit, open, form) =>
    open.file.answers.sheet === null ? sheetPage(visit, open) : readingPage(visit, open, form),
  async save(visit, { upload, file }, texts) {
    const { context, timeZone } = visit
    const key = keyOf(visit, upload)
    if (file.answers.sheet === null) {
      const sheet = file.sheets.findIndex((_, index) => String(index) === texts["sheet"])
      if (sheet < 0) return { errors: { sheet: "Choose a sheet." } }
      orNotFound(await chooseSheet(context, key, sheet))
    } else {
      const { answers, errors: ofForm } = readAnswers(texts, file, timeZone)
      const errors = { ...ofForm, ...checkFile(await loadIn(visit, { ...file, answers })).errors }
      if (hasErrors(errors)) return { errors }
      orNotFound(await saveAnswers(context, key, answers))
    }
    return goTo(visit, uploadAddress(visit, upload))
  },
}

/** The address may choose another kind, another row of headings, or another sheet. Then everything else is asked again. */
function changedBy({ searchParams }: URL, file: OpenFile): OpenFile {
  const answers = { ...file.answers, sheet: searchParams.has("sheets") ? null : file.answers.sheet }
  const kind = UPLOAD_KINDS.find((each) => each === searchParams.get("kind")) ?? answers.reading.kind
  const headerRow = Number(searchParams.get("headings")) || answers.headerRow
  if (kind === answers.reading.kind && headerRow === answers.headerRow) return { ...file, answers }
  return { ...file, answers: { ...answers, headerRow, reading: { ...NOTHING_READ, kind }, rememberedAt: null } }
}

const sheetPage = (visit: MemberVisit, { upload, file }: OpenUpload): Page => ({
  title: upload.fileName,
  trail: uploadTrail(visit),
  body: (
    <Form submit="Read this sheet">
      <Radios
        name="sheet"
        label="Which sheet has the table?"
        hint="Only this sheet is read. If several have the same lines and days, put them into one first."
        choices={file.sheets.map(({ name, rows }, index) => {
          return { value: String(index), label: name, note: formatCount(rows.length, "row") }
        })}
      />
    </Form>
  ),
})

async function readingPage(visit: MemberVisit, { upload, file }: OpenUpload, form: FormState): Promise<Page> {
  const address = uploadAddress(visit, upload)
  // A form that was sent, or kept while its session had expired, has texts.
  const isNew = Object.keys(form.texts).length === 0
  const answers = isNew ? file.answers : readAnswers(form.texts, file, visit.timeZone).answers
  const loaded = await loadIn(visit, { ...file, answers })
  const { kind } = loaded.reading
  const readings = await readingsOf(loaded)
  const checked = readings?.[loaded.reading.figures ?? "daily"] ?? checkFile(loaded)
  return {
    title: upload.fileName,
    trail: uploadTrail(visit),
    intro: `${KIND_NAMES[kind]} · ${formatCount(loaded.rows.length, "row")}`,
    actions: (
      <>
        {file.sheets.length > 1 && <ButtonLink kind="quiet" href={`${address}/reading?sheets`} label="Another sheet" />}
        <ButtonLink kind="quiet danger" href={`${address}/discard`} label="Discard" isAsked />
      </>
    ),
    form: isNew ? newForm(form, loaded, checked, visit.timeZone) : form,
    body: (
      <>
        <nav class="seg" aria-label="What the file has">
          {UPLOAD_KINDS.map((each) => (
            <a href={`?kind=${each}&headings=${answers.headerRow}`} aria-current={each === kind ? "true" : undefined}>
              {KIND_NAMES[each]}
            </a>
          ))}
        </nav>
        <FirstRows loaded={loaded} />
        <Form submit="Show the preview" note="Nothing is reported yet." hasPreview>
          <Card title="How is it read?">
            <div class="stack">
              <Questions loaded={loaded} checked={readings?.daily ?? checked} />
            </div>
          </Card>
          {kind === "delivery" && (
            <div id="both" data-updated>
              <ReadingsTable loaded={loaded} readings={readings} />
            </div>
          )}
        </Form>
      </>
    ),
  }
}

const ASKED_AGAIN = "Files with these headings were read before. Answer only the questions that are marked below."

/** The form before a person fills it in. If the file can't be read as before, it asks again what caused that. */
function newForm(form: FormState, loaded: LoadedFile, checked: FilePreview, timeZone: TimeZone): FormState {
  const texts = textsOf(loaded, timeZone)
  const errors = loaded.isRemembered ? checked.errors : {}
  if (!hasErrors(errors)) return { ...form, texts }
  const emptied = Object.keys(errors).map((field) => [field, ""])
  return { ...form, texts: { ...texts, ...Object.fromEntries(emptied) }, errors, notes: { "": ASKED_AGAIN } }
}
