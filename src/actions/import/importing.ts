import type { Problem } from "../../domain/schema/explain.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { Tx } from "../../storage/database.ts"
import type { Actor } from "../context.ts"

export interface Count {
  created: number
  updated: number
}

/**
 * An import in progress. Each part of the file checks its entries, and writes them as long as no entry has a problem.
 */
export interface Importing {
  readonly tx: Tx
  readonly at: Moment
  readonly actor: Actor
  /** One problem is enough to undo everything. The others are still found, so that people can correct the file at once. */
  readonly problems: Problem[]
  /** The IDs of all organizations by slug, both stored ones and ones in the file. */
  readonly organizations: Map<string, number>
}

export function addProblem({ problems }: Importing, pointer: string, message: string): void {
  problems.push({ pointer, message, keyword: "import" })
}

export const isSound = ({ problems }: Importing): boolean => problems.length === 0

/** The ID of an organization. It adds a problem if there is none. */
export function organizationId(importing: Importing, slug: string, pointer: string): number {
  const id = importing.organizations.get(slug)
  if (id !== undefined) return id
  const message = `Unknown organization "${slug}". Add it to this file, or create it first.`
  addProblem(importing, pointer, message)
  return UNKNOWN_ID
}

/** Stands for the ID of an entry that wasn't written because of a problem. */
export const UNKNOWN_ID = -1

/** Refuses entries with the same identity, because it would be unclear which one applies. */
export function refuseRepeated<Entry>(
  importing: Importing,
  pointer: string,
  entries: readonly Entry[],
  identify: (entry: Entry) => readonly [identity: string, field: string],
): void {
  const first = new Map<string, number>()
  for (const [i, entry] of entries.entries()) {
    const [identity, field] = identify(entry)
    const before = first.get(identity)
    if (before === undefined) first.set(identity, i)
    else addProblem(importing, `${pointer}/${i}/${field}`, `This repeats ${pointer}/${before}.`)
  }
}
