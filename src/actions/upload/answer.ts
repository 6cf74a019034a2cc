import { type Answers, NAME_CHARACTERS_MAX, type NameAnswer, NOTHING_READ } from "../../domain/upload/upload.ts"
import { addAuditEntry } from "../../storage/audit.ts"
import type { Tx } from "../../storage/database.ts"
import {
  deleteOpenUpload,
  forgetReading,
  rememberedReadings,
  type StoredUpload,
  updateUpload,
  uploadById,
} from "../../storage/uploads.ts"
import type { Actor, Context } from "../context.ts"
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
async function changeAnswers(
  tx: Tx,
  { organizationId, id }: UploadKey,
  change: (file: OpenFile) => Partial<Answers>,
): Promise<boolean> {
  const file = openFile(await uploadById(tx, organizationId, id))
  if (file === null) return false
  const { sheets } = file
  const answers = { ...file.answers, ...change(file) }
  const rows = tableOf({ sheets, answers }).rows.length
  await updateUpload(tx, organizationId, id, { rows, content: JSON.stringify({ sheets, answers }) })
  return true
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
    return changeAnswers(tx, key, ({ sheets }) => firstAnswers(sheets, remembered, sheet))
  })

/** Saves which lines names in a file belong to. Other organizations' lines have no effect. */
export const saveNames = (
  { database }: Context,
  key: UploadKey,
  names: readonly (readonly [name: string, answer: NameAnswer])[],
): Promise<boolean> =>
  database.transact((tx) =>
    changeAnswers(tx, key, ({ answers }) => {
      const short = names.filter(([name]) => name.length <= NAME_CHARACTERS_MAX)
      return { names: { ...answers.names, ...Object.fromEntries(short) } }
    }),
  )

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
  const { organizationId, id } = key
  return database.transact(async (tx) => {
    const upload = await uploadById(tx, organizationId, id)
    const file = openFile(upload)
    if (upload === null || file === null) return false
    await forgetReading(tx, organizationId, tableOf(file).key)
    await changeAnswers(tx, key, () => ({ reading: NOTHING_READ, rememberedAt: null }))
    const text = `forgot how files like ${upload.fileName} are read`
    await addAuditEntry(tx, { at: clock(), actor, organizationId, text })
    return true
  })
}
