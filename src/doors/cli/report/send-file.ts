import { gunzipSync } from "node:zlib"
import { Value } from "@sinclair/typebox/value"
import { FILES_PATH } from "../../../domain/feed-addresses.ts"
import { formatMoment, type Moment } from "../../../domain/time/moment.ts"
import { FileReport } from "../../../domain/upload/file-report.ts"
import { UserError } from "../../../domain/user-error.ts"
import { retryAfter } from "./send.ts"
import { isTemporary, noAnswer, notOurAnswer, readAnswer, refusal } from "./server.ts"

/** How to reach the server. */
export interface FileServer {
  readonly url: string
  readonly key: string
  readonly timeoutSeconds: number
  /** Aborts the request in flight. */
  readonly stop: AbortSignal
  readonly wait: (seconds: number) => Promise<void>
  readonly deadline: (seconds: number) => AbortSignal
}

export interface FileToSend {
  readonly name: string
  readonly bytes: Uint8Array
  readonly modifiedAt: Moment
  /** Null for the one that fits. */
  readonly preset: string | null
  readonly allowLower: boolean
}

export type FileOutcome =
  | { readonly kind: "report"; readonly report: FileReport }
  /** Nothing of this file was reported, and another try would not change that. */
  | { readonly kind: "refused"; readonly message: string }
  /** The server cannot be reached, or asks for a pause of at least so many seconds. */
  | { readonly kind: "later"; readonly why: string; readonly seconds: number }

// What is wrong with the file, not with the key or the address.
const REFUSED = [400, 413, 415, 422]
const NO_ROOM = 507
const POLL_SECONDS = [0.2, 0.5, 1, 2, 5]

/** Sends a file, and waits until the server has reported it. Throws when the key or the address is wrong. */
export async function sendFile(server: FileServer, file: FileToSend): Promise<FileOutcome> {
  const { name, modifiedAt, preset, allowLower } = file
  const parameters = new URLSearchParams({ name, modified: formatMoment(modifiedAt) })
  if (preset !== null) parameters.set("preset", preset)
  if (allowLower) parameters.set("allow_lower", "true")
  let outcome = await request(server, `${FILES_PATH}?${parameters}`, unpacked(file.bytes))
  for (let polls = 0; isWorking(outcome); polls++) {
    await server.wait(POLL_SECONDS[Math.min(polls, POLL_SECONDS.length - 1)] ?? 1)
    outcome = await request(server, `${FILES_PATH}/${outcome.report.id}`, null)
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

async function request(
  { url, key, timeoutSeconds, stop, deadline }: FileServer,
  path: string,
  body: Uint8Array<ArrayBuffer> | null,
): Promise<FileOutcome> {
  const headers = { Authorization: `Bearer ${key}`, ...(body !== null && { "Content-Type": "text/csv" }) }
  const signal = AbortSignal.any([stop, deadline(timeoutSeconds)])
  try {
    const sent = { method: body === null ? "GET" : "POST", headers, body, redirect: "manual", signal } as const
    const response = await fetch(url + path, sent)
    // Read completely here, so that a connection that breaks during the response is a failure too.
    const bytes = await readAnswer(response)
    if (bytes === null) throw notOurAnswer(url)
    return await outcomeOf(url, new Response(bytes, { status: response.status, headers: response.headers }))
  } catch (cause) {
    if (stop.aborted || cause instanceof UserError) throw cause
    const { why, temporary } = noAnswer(url, cause, timeoutSeconds)
    if (!temporary) throw new UserError(why, { cause })
    return { kind: "later", why, seconds: 0 }
  }
}

async function outcomeOf(url: string, response: Response): Promise<FileOutcome> {
  const { status } = response
  if (status === 429) return { kind: "later", why: "The server asks for a pause.", seconds: retryAfter(response) }
  const answer: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const detail = (answer as { detail?: unknown } | null)?.detail
  if (isTemporary(status)) {
    const why = status === NO_ROOM && typeof detail === "string" ? detail : `The server answered ${status}.`
    return { kind: "later", why, seconds: retryAfter(response) }
  }
  if (response.ok) {
    if (!Value.Check(FileReport, answer)) throw notOurAnswer(url)
    return { kind: "report", report: answer }
  }
  if (REFUSED.includes(status) && typeof detail === "string") return { kind: "refused", message: detail }
  throw await refusal(url, FILES_PATH, response)
}
