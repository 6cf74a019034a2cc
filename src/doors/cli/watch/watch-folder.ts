import { createHash } from "node:crypto"
import { existsSync, type FSWatcher, readFileSync, watch } from "node:fs"
import { join } from "node:path"
import { formatMoment, MICROS_PER_MS, type Moment } from "../../../domain/time/moment.ts"
import { messageOf } from "../../../domain/user-error.ts"
import { unlessStopped } from "../io.ts"
import { FILE_BYTES_MAX, sendFile } from "../report/export-file.ts"
import type { Later, Server } from "../report/server.ts"
import {
  contentOf,
  type FileResult,
  type FoundFile,
  filesIn,
  freePlace,
  isOpenForWriting,
  putAside,
  type ReportedFile,
} from "./folder.ts"

export interface Watched {
  readonly folder: string
  readonly preset: string | null
  readonly server: Server
  /** By content: no file is reported twice. */
  readonly reported: Map<string, ReportedFile>
  readonly clock: () => Moment
  /** Results of files that could not be put aside, for example because the disk is full. They are not sent again. */
  readonly pending: Map<string, Outcome>
}

type Outcome = Pick<FileResult, "status" | "message" | "report">

export type Handled =
  | { readonly kind: "handled"; readonly result: FileResult; readonly place: string }
  /** It is not complete yet, or gone: look again. */
  | { readonly kind: "not yet" }
  /** Everything has to wait: the server cannot be reached, or the disk is full. */
  | { readonly kind: "later"; readonly why: string; readonly seconds: number }

/** Reports a file that no longer changes, and puts it aside with its result. */
export async function handleFile(watched: Watched, file: FoundFile): Promise<Handled> {
  if (isOpenForWriting(file.path)) return { kind: "not yet" }
  const bytes = read(file)
  // Written to while it was read.
  if (filesIn(watched.folder, file.name)[0]?.signature !== file.signature) return { kind: "not yet" }
  if (!(bytes instanceof Uint8Array)) return aside(watched, file, null, failed(bytes.problem))
  const sha256 = createHash("sha256").update(bytes).digest("hex")
  const earlier = watched.reported.get(sha256)
  if (earlier !== undefined && earlier.file === file.name && !existsSync(join(watched.folder, earlier.place))) {
    // Stopped after it was reported and before it was put aside.
    const { message, place } = earlier
    return aside(watched, file, sha256, { status: "reported", message, report: null }, place)
  }
  if (earlier !== undefined) {
    const message = `The same content was reported as ${earlier.file} at ${earlier.at}. Nothing was sent.`
    return aside(watched, file, sha256, { status: "duplicate", message, report: null })
  }
  const outcome = watched.pending.get(sha256) ?? (await sent(watched, file, bytes))
  if ("seconds" in outcome) return outcome
  watched.pending.set(sha256, outcome)
  const handled = aside(watched, file, sha256, outcome)
  if (handled.kind === "handled") watched.pending.delete(sha256)
  return handled
}

const failed = (message: string): Outcome => ({ status: "failed", message, report: null })

function read({ path, size }: FoundFile): Uint8Array | { readonly problem: string } {
  if (size > FILE_BYTES_MAX) return { problem: "It is larger than 1 GB." }
  try {
    return readFileSync(path)
  } catch (cause) {
    return { problem: `It cannot be read: ${whyNot(cause)}.` }
  }
}

async function sent(
  { server, preset }: Watched,
  { name, modifiedMs }: FoundFile,
  bytes: Uint8Array,
): Promise<Outcome | Later> {
  const modifiedAt = Math.floor(modifiedMs) * MICROS_PER_MS
  const outcome = await sendFile(server, { name, bytes, modifiedAt, preset, allowLower: false })
  if (outcome.kind === "later") return outcome
  if (outcome.kind === "refused") return failed(outcome.message)
  const { report } = outcome
  const status = report.complete ? "reported" : report.state === "done" ? "incomplete" : "failed"
  return { status, message: report.message, report }
}

function aside(
  { folder, reported, clock }: Watched,
  file: FoundFile,
  sha256: string | null,
  outcome: Outcome,
  wanted?: string,
): Handled {
  const at = formatMoment(clock())
  const now = filesIn(folder, file.name)[0]
  // Whoever writes it did not wait until it was sent. What is there now is another file.
  const isReplaced = now !== undefined && now.signature !== file.signature
  const message = isReplaced ? `${outcome.message} ${REPLACED}` : outcome.message
  const result: FileResult = { file: file.name, ...outcome, message, at, sha256 }
  try {
    const place = wanted ?? freePlace(folder, result)
    // The result is there before the file is moved: whatever happens in between, it is not reported again.
    putAside(folder, isReplaced ? null : file, place, result)
    if (sha256 !== null && outcome.status === "reported") reported.set(sha256, { ...result, place })
    return { kind: "handled", result, place }
  } catch (cause) {
    if (filesIn(folder, file.name).length === 0) return { kind: "not yet" }
    return { kind: "later", why: `${file.name} cannot be put aside: ${whyNot(cause)}.`, seconds: DISK_SECONDS }
  }
}

const DISK_SECONDS = 30
const REPLACED = "Meanwhile the file was replaced: the new one comes next."

function whyNot(cause: unknown): string {
  return messageOf(cause).replace(/\.$/, "")
}

export interface WatchOptions {
  /** A file is complete when it has not changed for so long. */
  readonly settleSeconds: number
  /** How often to look, in case the system does not tell about changes: on network folders it does not. */
  readonly intervalSeconds: number
  readonly onHandled: (handled: Handled & { kind: "handled" }) => void
  readonly say: (sentence: string) => void
}

// The pauses while the server, the disk or the folder is away.
const BACKOFF_SECONDS = [1, 2, 4, 8, 15, 30, 60, 120, 300]

/**
 * Looks at the folder until it is told to stop or, once, until what was there and did not change while it waited is reported. Gives up
 * then when something has to wait for too long. The names of files that are left. Throws when the key or the address is wrong.
 */
export async function watchFolder(watched: Watched, options: WatchOptions, isOnce = false): Promise<readonly string[]> {
  const { stop } = watched.server
  const [seen, told] = [new Map<string, string>(), new Set<string>()]
  if (isOnce) {
    await look(watched, options, seen, told)
    await pause(watched, options.settleSeconds)
  }
  for (let failures = 0; ; ) {
    const { later, unsettled, left } = await look(watched, options, seen, told)
    failures = later === null ? 0 : failures + 1
    const isOver = later === null || failures >= BACKOFF_SECONDS.length
    if (stop.aborted || (isOnce && isOver)) return left
    if (later !== null) {
      const seconds = Math.max(BACKOFF_SECONDS[failures - 1] ?? BACKOFF_SECONDS.at(-1) ?? 1, later.seconds)
      options.say(`${later.why} Retrying in ${seconds} s. Files stay where they are.`)
      await pause(watched, seconds)
    } else if (unsettled) await pause(watched, Math.max(options.settleSeconds, 1))
    else await pauseUntilChange(watched, options.intervalSeconds)
  }
}

interface Round {
  /** Whether files have to be looked at again soon. */
  readonly unsettled: boolean
  readonly later: (Handled & { kind: "later" }) | null
  /** The names of files that are still there. */
  readonly left: readonly string[]
}

/** Reports every file that is as it was at the last look. */
async function look(
  watched: Watched,
  options: WatchOptions,
  seen: Map<string, string>,
  told: Set<string>,
): Promise<Round> {
  const content = readFolder(watched)
  if ("why" in content) return { unsettled: false, later: { kind: "later", ...content, seconds: 0 }, left: [] }
  tellIgnored(content, told, options)
  const files = new Set(content.files.map(({ name }) => name))
  for (const name of seen.keys()) if (!files.has(name)) seen.delete(name)
  for (const file of content.files) {
    if (watched.server.stop.aborted) break
    const isSettled = seen.get(file.name) === file.signature
    seen.set(file.name, file.signature)
    if (!isSettled) continue
    const handled = await handledUnlessStopped(watched, file)
    if (handled.kind === "later") return { unsettled: true, later: handled, left: [...files] }
    if (handled.kind !== "handled") continue
    // It is still there where another one has taken its place meanwhile.
    if (filesIn(watched.folder, file.name).length === 0) files.delete(file.name)
    seen.delete(file.name)
    options.onHandled(handled)
  }
  return { unsettled: files.size > 0, later: null, left: [...files] }
}

async function handledUnlessStopped(watched: Watched, file: FoundFile): Promise<Handled> {
  try {
    return await handleFile(watched, file)
  } catch (cause) {
    // The request was cut off. The file stays, and is sent again at the next start.
    if (watched.server.stop.aborted) return { kind: "not yet" }
    throw cause
  }
}

function readFolder({ folder }: Watched) {
  try {
    return contentOf(folder)
  } catch (cause) {
    return { why: `${folder} cannot be read: ${messageOf(cause)}.` }
  }
}

function tellIgnored({ links, folders }: ReturnType<typeof contentOf>, told: Set<string>, { say }: WatchOptions): void {
  const sentences = [
    ...links.map((name) => `${name} is a link. Links are not followed: it stays where it is.`),
    ...folders.map((name) => `${name} is a folder. Files in it are not reported: watch it separately.`),
  ]
  for (const sentence of sentences.filter((sentence) => !told.has(sentence))) {
    told.add(sentence)
    say(sentence)
  }
}

function pause({ server: { stop, wait } }: Watched, seconds: number): Promise<unknown> {
  return unlessStopped(stop, wait(seconds))
}

async function pauseUntilChange(watched: Watched, seconds: number): Promise<void> {
  let watcher: FSWatcher | undefined
  const changed = new Promise<void>((resolve) => {
    try {
      watcher = watch(watched.folder, () => resolve())
      watcher.on("error", () => resolve())
    } catch {
      // Not every system and folder can be watched; then the interval has to do.
    }
  })
  await Promise.race([pause(watched, seconds), changed])
  watcher?.close()
}
