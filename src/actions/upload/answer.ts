import type { Errors } from "../../domain/errors.ts"
import { findHeaderRow } from "../../domain/upload/csv.ts"
import { keysOfHeadings } from "../../domain/upload/reading.ts"
import { type Answers, NAME_CHARACTERS_MAX, type NameAnswer, NOTHING_READ } from "../../domain/upload/upload.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { ReadTx, Tx } from "../../storage/database.ts"
import { contentOf, deleteOpenUpload, forgetReadings, updateUpload, uploadById } from "../../storage/uploads.ts"
import type { Actor, Context } from "../context.ts"
import { type OpenFile, previewFile, tableOf } from "./preview.ts"

/** Identifies an open file of an organization. */
export interface UploadKey {
  readonly organizationId: number
  readonly id: number
}

/** An open file with its answers. Null if it isn't open, or another organization's. */
export async function openFile(read: ReadTx, { organizationId, id }: UploadKey): Promise<OpenFile | null> {
  const upload = await uploadById(read, organizationId, id)
  const content = upload?.state === "open" ? await contentOf(read, organizationId, id) : null
  if (upload === null || content === null) return null
  const { sheets, answers } = JSON.parse(content) as Pick<OpenFile, "sheets" | "answers">
  return { sheets, answers, uploadedAt: upload.uploadedAt }
}

/** Saves how a file is read. Returns what is still open, in which case nothing is saved, or null if the file is no longer open. */
export async function saveAnswers(
  { database, clock }: Context,
  key: UploadKey,
  answers: Omit<Answers, "sheet" | "names" | "rememberedAt">,
): Promise<Errors | null> {
  return database.transact(async (tx) => {
    const file = await openFile(tx, key)
    if (file === null) return null
    const answered = { ...file, answers: { ...file.answers, ...answers, rememberedAt: null } }
    const { preview } = await previewFile(tx, key.organizationId, answered, clock())
    if (Object.keys(preview.errors).length === 0) await saveFile(tx, key, answered)
    return preview.errors
  })
}

/** Chooses a sheet of a workbook. Its headings are detected again. False if the file isn't open. */
export async function chooseSheet({ database }: Context, key: UploadKey, sheet: number): Promise<boolean> {
  return database.transact(async (tx) => {
    const file = await openFile(tx, key)
    const rows = file?.sheets[sheet]?.rows
    if (file === null || rows === undefined) return false
    const headerRow = findHeaderRow(rows, () => false)
    const answers = { ...file.answers, sheet, headerRow, reading: NOTHING_READ, rememberedAt: null }
    await saveFile(tx, key, { ...file, answers })
    return true
  })
}

/** Saves which lines names in a file belong to. Other organizations' lines have no effect. */
export async function saveNames(
  { database }: Context,
  key: UploadKey,
  names: Readonly<Record<string, NameAnswer>>,
): Promise<boolean> {
  return database.transact(async (tx) => {
    const file = await openFile(tx, key)
    if (file === null) return false
    const short = Object.entries(names).filter(([name]) => name.length <= NAME_CHARACTERS_MAX)
    const all = { ...file.answers.names, ...Object.fromEntries(short) }
    await saveFile(tx, key, { ...file, answers: { ...file.answers, names: all } })
    return true
  })
}

async function saveFile(tx: Tx, { organizationId, id }: UploadKey, file: OpenFile): Promise<void> {
  const { sheets, answers } = file
  const rows = tableOf(file).rows.length
  await updateUpload(tx, organizationId, id, { rows, content: JSON.stringify({ sheets, answers }) })
}

/** Deletes an open file. Nothing of it is remembered. */
export async function discardUpload({ database, clock }: Context, actor: Actor, key: UploadKey): Promise<boolean> {
  const { organizationId, id } = key
  return database.transact(async (tx) => {
    const upload = await uploadById(tx, organizationId, id)
    if (upload === null || !(await deleteOpenUpload(tx, organizationId, id))) return false
    await addAuditEntry(tx, { at: clock(), actor, organizationId, text: `discarded the file ${upload.fileName}` })
    return true
  })
}

/** Forgets how files with the headings of this one are read, and asks about this one again. */
export async function forgetHeadings({ database, clock }: Context, actor: Actor, key: UploadKey): Promise<boolean> {
  const { organizationId } = key
  return database.transact(async (tx) => {
    const file = await openFile(tx, key)
    if (file === null) return false
    await forgetReadings(tx, organizationId, keysOfHeadings(tableOf(file).headings))
    await saveFile(tx, key, { ...file, answers: { ...file.answers, reading: NOTHING_READ, rememberedAt: null } })
    const upload = await uploadById(tx, organizationId, key.id)
    const text = `forgot how files like ${upload?.fileName} are read`
    await addAuditEntry(tx, { at: clock(), actor, organizationId, text })
    return true
  })
}
