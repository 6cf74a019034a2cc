import { sheetOfText, textIn } from "../domain/upload/csv.ts"
import { type Sheet, Unreadable } from "../domain/upload/upload.ts"
import { nextTurn } from "../within.ts"
import type { WorkbookAnswer } from "./workbook-thread.ts"

// The executable has the thread under its path below src.
const IS_EXECUTABLE = import.meta.path.includes("bunfs") || import.meta.path.includes("~BUN")
const THREAD = new URL(IS_EXECUTABLE ? "./http/workbook-thread.ts" : "./workbook-thread.ts", import.meta.url)

// Less than a request may take, so that the answer says why.
const SECONDS_MAX = 20
const UNREADABLE = "This workbook can’t be read. In Excel, choose Save As and the type CSV, then upload that."

let before: Promise<unknown> = Promise.resolve()

/** Reads an Excel workbook, one at a time. Throws `Unreadable`. */
function sheetsOfWorkbook(bytes: Uint8Array): Promise<readonly Sheet[]> {
  const reading = before.then(() => readInThread(bytes))
  before = reading.catch(() => undefined)
  return reading
}

async function readInThread(bytes: Uint8Array): Promise<readonly Sheet[]> {
  const thread = new Worker(THREAD.href, { smol: true, ref: false })
  const { promise, resolve } = Promise.withResolvers<WorkbookAnswer>()
  const fail = () => resolve({ problem: "" })
  const timer = setTimeout(fail, SECONDS_MAX * 1_000)
  try {
    thread.onmessage = ({ data }: MessageEvent<WorkbookAnswer>) => resolve(data)
    thread.onerror = fail
    const copy = new Uint8Array(bytes)
    thread.postMessage(copy, [copy.buffer])
    const answer = await promise
    if ("sheets" in answer) return answer.sheets
    throw new Unreadable(answer.problem || UNREADABLE)
  } finally {
    clearTimeout(timer)
    thread.terminate()
  }
}

/** The sheets of a workbook, or the one table of a text file. Throws `Unreadable`. */
export async function sheetsOfFile(bytes: Uint8Array): Promise<readonly Sheet[]> {
  if (isZip(bytes)) return sheetsOfWorkbook(bytes)
  const text = textIn(bytes)
  // A large file is decoded, read and checked in turns, so that other requests don't wait for all of it.
  await nextTurn()
  const sheet = sheetOfText(text)
  await nextTurn()
  return [sheet]
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4
