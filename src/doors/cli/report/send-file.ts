import { Value } from "@sinclair/typebox/value"
import { FILES_PATH } from "../../../domain/feed-addresses.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { FileReport } from "../../../domain/upload/file-report.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { Io } from "../io.ts"
import { detailOf, isLater, type Later, notOurAnswer, refusal, request, retry, type Server } from "./server.ts"

export interface FileToSend {
  readonly name: string
  readonly bytes: Uint8Array
  readonly modifiedAt: Moment
  /** How to read it, as the server takes it. */
  readonly parameters: Readonly<Record<string, string | undefined>>
}

// What is wrong with the file, not with the key or the address.
const REFUSED = [400, 413, 415, 422]

/** Sends a file, and waits until the server is done with it: it answers then. Throws when the server does not take it. */
export async function sendFile(server: Server, file: FileToSend, progress: Progress): Promise<FileReport> {
  const query = new URLSearchParams({ name: file.name, modified: formatMoment(file.modifiedAt) })
  for (const [name, value] of Object.entries(file.parameters)) if (value !== undefined) query.set(name, value)
  const content = file.bytes as Uint8Array<ArrayBuffer>

  return retry(server, () => ask(server, `${FILES_PATH}?${query}`, content), progress.say)
}

export const reportText = ({
  message,
  dry_run,
  preset,
  complete,
  problems,
  lines_left_out,
}: Omit<FileReport, "rejected_rows">): string =>
  [
    preset === null ? message : `${message} (read with the preset ${preset})`,
    // Of a complete file, only rows that do not count are left.
    ...(complete ? [] : problems).map(({ title, text, count, rows }) =>
      `  ${count} × ${title.replace(/\.$/, "")}, row ${rows}. ${text}`.trimEnd(),
    ),
    ...lines_left_out.map(
      ({ line, current, total }) =>
        `  ${line} would go down from ${current} to ${total}. If that is right, send the file with --allow-lower.`,
    ),
    ...(dry_run ? ["Nothing was written: this was a dry run."] : []),
  ].join("\n")

async function ask(server: Server, path: string, content: Uint8Array<ArrayBuffer>): Promise<FileReport | Later> {
  const response = await request(server, path, content)
  if (isLater(response)) return response
  const detail = await detailOf(response)
  if (REFUSED.includes(response.status) && detail !== undefined) throw new UserError(detail)
  if (!response.ok) throw await refusal(server.url, FILES_PATH, response)
  const report: unknown = await response.json().catch(() => null)
  if (!Value.Check(FileReport, report)) throw notOurAnswer(server.url)
  return report
}

export interface Progress {
  say(sentence: string): void
  stop(): void
}

/** What is going on, in a line that is overwritten on a terminal. */
export function progressOf(io: Io): Progress {
  if (!io.isTerminal) return { say: (sentence) => io.err(`${sentence}\n`), stop() {} }
  io.drawLine("Sending")
  return { say: io.drawLine, stop: () => io.drawLine("") }
}
