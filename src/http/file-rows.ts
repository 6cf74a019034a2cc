import { rowsOfText, textIn } from "../domain/upload/csv.ts"
import { type Sheet, Unreadable } from "../domain/upload/upload.ts"
import { nextTurn } from "../next-turn.ts"
import { sheetsOfWorkbook } from "./workbook.ts"

/** The sheets of a workbook, or the one table of a text file. Throws `Unreadable`. */
export async function sheetsOfFile(bytes: Uint8Array): Promise<readonly Sheet[]> {
  if (isZip(bytes)) return sheetsOfWorkbook(bytes)
  const text = textIn(bytes)
  // A large text is decoded and read in turns, so that other requests don't wait for both.
  await nextTurn()
  const rows = rowsOfText(text)
  if (rows.length === 0) throw new Unreadable("This file is empty.")
  return [{ name: "", rows }]
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4
