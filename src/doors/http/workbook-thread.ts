import { stringify } from "csv-stringify/sync"
import readWorkbook from "read-excel-file/web-worker"
import { writeNumber } from "../../domain/text/typed-number.ts"

// Runs in a thread of its own, because a workbook is unpacked and read at once. workbook.ts gives it one, and ends it when it takes too long.

/** The text of its only sheet as CSV, or why not. */
export type FromThread = { readonly csv: string } | { readonly problem: string }

declare const self: Worker

/** As people write it: a day, or a day with its time, which is one of the seller's zone. */
function dayOrTime(date: Date): string {
  const [day = "", time = ""] = date.toISOString().slice(0, 19).split("T")
  return time === "00:00:00" ? day : `${day} ${time}`
}

function textOf(value: unknown): string {
  if (value instanceof Date) return dayOrTime(value)
  return typeof value === "number" ? writeNumber(value) : String(value ?? "")
}

async function csvOf(workbook: ArrayBuffer): Promise<FromThread> {
  const sheets = (await readWorkbook(workbook)).filter(({ data }) => data.length > 0)
  const [only] = sheets
  if (only === undefined) return { problem: "This workbook is empty." }
  if (sheets.length > 1) {
    const names = sheets.map(({ sheet }) => sheet).join(", ")
    return {
      problem: `This workbook has several sheets: ${names.slice(0, 200)}. Save the one with the figures as CSV.`,
    }
  }
  return { csv: stringify(only.data.map((row) => row.map(textOf))) }
}

self.onmessage = async ({ data }: MessageEvent<ArrayBuffer>) => {
  const answer = await csvOf(data).catch((): FromThread => ({ problem: "" }))
  self.postMessage(answer)
}
