import { readFileSync, statSync } from "node:fs"
import { basename } from "node:path"
import { MICROS_PER_MS } from "../../../domain/time/moment.ts"
import type { FileReport } from "../../../domain/upload/file-report.ts"
import { messageOf, UserError } from "../../../domain/user-error.ts"
import type { CliContext } from "../context.ts"
import { Interrupted, printJson } from "../io.ts"
import { type FileOutcome, type FileServer, type FileToSend, sendFile } from "./send-file.ts"

export const AUTO = "auto"
// Pauses after temporary failures: about four minutes in total.
const PAUSES_SECONDS = [1, 2, 4, 8, 15, 30, 60, 120]

export interface ExportOptions {
  readonly preset: string
  readonly allowLower: boolean
  readonly json: boolean
}

/** Sends the export of another system as it is. */
export async function reportExport(
  context: CliContext,
  server: FileServer,
  file: string,
  { preset, allowLower, json }: ExportOptions,
): Promise<void> {
  const read = readExport(file)
  const sent = { ...read, name: basename(file), preset: preset === AUTO ? null : preset, allowLower }
  try {
    const outcome = await sendPatiently(server, sent, (sentence) => context.io.err(`${sentence}\n`))
    if (outcome.kind === "refused") throw new UserError(outcome.message)
    if (json) printJson(context.io, outcome.report)
    const text = reportText(outcome.report)
    if (!outcome.report.complete) throw new UserError(text)
    context.io.err(`${text}\n`)
  } catch (cause) {
    if (!server.stop.aborted) throw cause
    throw new Interrupted(
      "Stopped. Send the file again: what was reported already does not count twice.",
      stopCode(server),
    )
  }
}

const stopCode = ({ stop }: FileServer) => stop.reason as number

function readExport(file: string): Pick<FileToSend, "bytes" | "modifiedAt"> {
  try {
    return { bytes: readFileSync(file), modifiedAt: Math.floor(statSync(file).mtimeMs) * MICROS_PER_MS }
  } catch (cause) {
    throw new UserError(`${file} cannot be read: ${messageOf(cause)}.`, { cause })
  }
}

/** Sends a file again after temporary failures. Throws when they do not end. */
export async function sendPatiently(
  server: FileServer,
  file: FileToSend,
  say: (sentence: string) => void,
): Promise<Exclude<FileOutcome, { kind: "later" }>> {
  for (let failures = 0; ; failures++) {
    const outcome = await sendFile(server, file)
    if (outcome.kind !== "later") return outcome
    const pause = PAUSES_SECONDS[failures]
    if (pause === undefined) throw new UserError(`${outcome.why} Gave up after ${failures + 1} attempts.`)
    const seconds = Math.max(pause, outcome.seconds)
    say(`${outcome.why} Retrying in ${seconds} s.`)
    await server.wait(seconds)
  }
}

/** What became of a file, for people. */
export function reportText({ message, preset, complete, problems, lines_left_out }: FileReport): string {
  return [
    preset === null ? message : `${message} (read with the preset ${preset})`,
    // Of a complete file, only rows about other lines are left.
    ...(complete ? [] : problems).map(({ title, text, count, rows }) =>
      `  ${count} × ${title.replace(/\.$/, "")}, row ${rows}. ${text}`.trimEnd(),
    ),
    ...lines_left_out.map(
      ({ line, current, total }) =>
        `  ${line} would go down from ${current} to ${total}. If that is right, send the file with: adbooth report FILE --preset auto --allow-lower`,
    ),
  ].join("\n")
}
