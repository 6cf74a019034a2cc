import { gunzipSync } from "node:zlib"
import { Value } from "@sinclair/typebox/value"
import { FILES_PATH } from "../../../domain/feed-addresses.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { FileReport } from "../../../domain/upload/file-report.ts"
import { UserError } from "../../../domain/user-error.ts"
import type { CliContext, CommonOptions } from "../context.ts"
import { Interrupted, printJson } from "../io.ts"
import { detailOf, isLater, type Later, notOurAnswer, patiently, refusal, request, type Server } from "./server.ts"

export const AUTO = "auto"

/** Sends a file as it is: the server finds out what its columns mean. */
export async function reportExport(
  context: CliContext,
  server: Server,
  { name, bytes, modifiedAt }: Pick<FileToSend, "name" | "bytes" | "modifiedAt">,
  {
    preset = AUTO,
    allowLower = false,
    dryRun = false,
    json,
  }: CommonOptions & { preset?: string } & Partial<Pick<FileToSend, "allowLower" | "dryRun">>,
): Promise<void> {
  const sent = { name, bytes, modifiedAt, preset: preset === AUTO ? null : preset, allowLower, dryRun }
  try {
    const outcome = await patiently(
      server,
      () => sendFile(server, sent),
      (sentence) => context.io.err(`${sentence}\n`),
    )
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

const stopCode = ({ stop }: Server) => stop.reason as number

/** What happened to a file, for people. */
export function reportText({ message, preset, complete, problems, lines_left_out }: FileReport): string {
  return [
    preset === null ? message : `${message} (read with the preset ${preset})`,
    // Of a complete file, only rows about other lines are left.
    ...(complete ? [] : problems).map(({ title, text, count, rows }) =>
      `  ${count} × ${title.replace(/\.$/, "")}, row ${rows}. ${text}`.trimEnd(),
    ),
    ...lines_left_out.map(
      ({ line, current, total }) =>
        `  ${line} would go down from ${current} to ${total}. If that is right, send the file with: adbooth report FILE --allow-lower`,
    ),
  ].join("\n")
}

export interface FileToSend {
  readonly name: string
  readonly bytes: Uint8Array
  readonly modifiedAt: Moment
  /** Null for the one that fits. */
  readonly preset: string | null
  readonly allowLower: boolean
  /** Whether it is only checked. */
  readonly dryRun?: boolean
}

export type FileOutcome =
  | { readonly kind: "report"; readonly report: FileReport }
  /** Nothing of this file was reported, and another try would not change that. */
  | { readonly kind: "refused"; readonly message: string }
  | Later

// What is wrong with the file, not with the key or the address.
const REFUSED = [400, 413, 415, 422]
const POLL_SECONDS = [0.2, 0.5, 1, 2, 5]

/** Sends a file, and waits until the server has reported it. Throws when the key or the address is wrong. */
export async function sendFile(server: Server, file: FileToSend): Promise<FileOutcome> {
  const { name, modifiedAt, preset, allowLower, dryRun = false } = file
  const parameters = new URLSearchParams({ name, modified: formatMoment(modifiedAt) })
  if (preset !== null) parameters.set("preset", preset)
  if (allowLower) parameters.set("allow_lower", "true")
  if (dryRun) parameters.set("dry_run", "true")
  let outcome = await ask(server, `${FILES_PATH}?${parameters}`, unpacked(file.bytes))
  for (let polls = 0; isWorking(outcome); polls++) {
    await server.wait(POLL_SECONDS[Math.min(polls, POLL_SECONDS.length - 1)] ?? 1)
    outcome = await ask(server, `${FILES_PATH}/${outcome.report.id}`, null)
  }
  return outcome
}

function isWorking(outcome: FileOutcome): outcome is FileOutcome & { kind: "report" } {
  return outcome.kind === "report" && outcome.report.state === "working"
}

const GZIP = [0x1f, 0x8b]
/** The largest file that a server can be set to take. */
export const FILE_BYTES_MAX = 1_073_741_824

/** Some systems compress their exports. */
function unpacked(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const plain = GZIP.every((byte, i) => bytes[i] === byte) ? gunzip(bytes) : bytes
  return plain as Uint8Array<ArrayBuffer>
}

function gunzip(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: FILE_BYTES_MAX })
  } catch {
    // Cut off, damaged, or made to fill the memory. The server says that it is not text.
    return bytes
  }
}

async function ask(server: Server, path: string, content: Uint8Array<ArrayBuffer> | null): Promise<FileOutcome> {
  const response = await request(server, path, content && { type: "text/csv", content })
  if (isLater(response)) return response
  const detail = await detailOf(response)
  if (REFUSED.includes(response.status) && detail !== undefined) return { kind: "refused", message: detail }
  if (!response.ok) throw await refusal(server.url, FILES_PATH, response)
  const report: unknown = await response.json().catch(() => null)
  if (!Value.Check(FileReport, report)) throw notOurAnswer(server.url)
  return { kind: "report", report }
}
