import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Static, Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { UserError } from "../../../domain/user-error.ts"
import { replaceFile } from "../../../files/new-file.ts"
import { OWN } from "./folder.ts"

const Entry = Type.Object({
  sha256: Type.String(),
  name: Type.String(),
  at: Type.String(),
  /** Where it goes, relative to the watched folder. */
  target: Type.String(),
  /** Whether it is there. */
  moved: Type.Boolean(),
  message: Type.String(),
})
const Journal = Type.Object({ version: Type.Literal(1), files: Type.Array(Entry) })

/** A file that was reported completely. */
export type JournalEntry = Static<typeof Entry>

export interface WatchJournal {
  find(sha256: string): JournalEntry | undefined
  /** On disk when it returns. Replaces what is known of the same content. */
  note(entry: JournalEntry): void
}

// A file an hour for a year.
const ENTRIES_MAX = 10_000

/** What a watcher remembers across restarts, so that no file is reported twice. */
export function watchJournal(folder: string): WatchJournal {
  const own = join(folder, OWN)
  const path = join(own, "journal.json")
  let entries = new Map(entriesIn(path).map((entry) => [entry.sha256, entry]))
  return {
    find: (sha256) => entries.get(sha256),
    note(entry) {
      const others = [...entries.values()].filter(({ sha256 }) => sha256 !== entry.sha256)
      const files = [...others, entry].slice(-ENTRIES_MAX)
      mkdirSync(own, { recursive: true })
      replaceFile(path, `${JSON.stringify({ version: 1, files })}\n`)
      // Only what is on disk is known.
      entries = new Map(files.map((one) => [one.sha256, one]))
    },
  }
}

function entriesIn(path: string): readonly JournalEntry[] {
  try {
    const read: unknown = JSON.parse(readFileSync(path, "utf8"))
    if (Value.Check(Journal, read)) return read.files
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return []
    if (!(cause instanceof SyntaxError)) throw cause
  }
  throw new UserError(
    `${path} is damaged. It holds which files were reported. Without it they would be reported again, which does no harm: delete it to continue.`,
  )
}
