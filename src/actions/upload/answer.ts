import { type Answers, NAME_CHARACTERS_MAX, type NameAnswer, NOTHING_READ } from "../../domain/upload/upload.ts"
import type { Tx } from "../../storage/database.ts"
import {
  deleteOpenUpload,
  forgetReading,
  rememberedReadings,
  type StoredUpload,
  updateUpload,
  uploadById,
} from "../../storage/uploads.ts"
import { type Actor, type Context, change } from "../context.ts"
import { type OpenFile, tableOf } from "./preview.ts"
import { firstAnswers } from "./receive.ts"

/** Identifies a file of an organization. */
export interface UploadKey {
  readonly organizationId: number
  readonly id: number
}

/** A file with its answers. Null if it isn't open. */
export function openFile(upload: StoredUpload | null): OpenFile | null {
  if (upload === null || upload.content === null) return null
  const { sheets, answers } = JSON.parse(upload.content) as Pick<OpenFile, "sheets" | "answers">
  return { sheets, answers, uploadedAt: upload.uploadedAt }
}

/** Changes the answers about an open file. Nothing is remembered before it's reported. False if it isn't open. */
async function changeAnswers(tx: Tx, key: UploadKey, answer: (file: OpenFile) => Partial<Answers>): Promise<boolean> {
  const file = openFile(await uploadById(tx, key.organizationId, key.id))
  if (file === null) return false
  await storeAnswers(tx, key, { ...file, answers: { ...file.answers, ...answer(file) } })
  return true
}

async function storeAnswers(tx: Tx, { organizationId, id }: UploadKey, { sheets, answers }: OpenFile): Promise<void> {
  const rows = tableOf({ sheets, answers }).rows.length
  await updateUpload(tx, organizationId, id, { rows, content: JSON.stringify({ sheets, answers }) })
}

/** Saves how a file is read. */
export const saveAnswers = (
  { database }: Context,
  key: UploadKey,
  { headerRow, reading, line, asOf }: Pick<Answers, "headerRow" | "reading" | "line" | "asOf">,
): Promise<boolean> =>
  database.transact((tx) => changeAnswers(tx, key, () => ({ headerRow, reading, line, asOf, rememberedAt: null })))

/** Chooses a sheet of a workbook, which is read as its headings were read before. */
export const chooseSheet = ({ database }: Context, key: UploadKey, sheet: number): Promise<boolean> =>
  database.transact(async (tx) => {
    const remembered = await rememberedReadings(tx, key.organizationId)
    return changeAnswers(tx, key, ({ sheets }) => {
      return { ...firstAnswers(sheets.slice(sheet, sheet + 1), remembered), sheet }
    })
  })

/** Saves which lines names in a file belong to. Other organizations' lines have no effect. */
export const saveNames = (
  { database }: Context,
  key: UploadKey,
  names: readonly (readonly [name: string, answer: NameAnswer])[],
): Promise<boolean> => {
  const short = Object.fromEntries(names.filter(([name]) => name.length <= NAME_CHARACTERS_MAX))
  return database.transact((tx) => changeAnswers(tx, key, ({ answers }) => ({ names: { ...answers.names, ...short } })))
}

/** Deletes an open file. Nothing of it is remembered. */
export const discardUpload = (context: Context, actor: Actor, { organizationId, id }: UploadKey): Promise<boolean> =>
  change(context, actor, async (tx, audit) => {
    const upload = await uploadById(tx, organizationId, id)
    if (upload === null || !(await deleteOpenUpload(tx, organizationId, id))) return false
    await audit(organizationId, `discarded the file ${upload.fileName}`)
    return true
  })

/** Forgets how files with the headings of this one are read, and asks about this one again. */
export const forgetHeadings = (context: Context, actor: Actor, key: UploadKey): Promise<boolean> =>
  change(context, actor, async (tx, audit) => {
    const upload = await uploadById(tx, key.organizationId, key.id)
    const file = openFile(upload)
    if (upload === null || file === null) return false
    await forgetReading(tx, key.organizationId, tableOf(file).key)
    await storeAnswers(tx, key, { ...file, answers: { ...file.answers, reading: NOTHING_READ, rememberedAt: null } })
    await audit(key.organizationId, `forgot how files like ${upload.fileName} are read`)
    return true
  })
