import type { Errors } from "../../domain/errors.ts"
import type { Problem } from "../../domain/schema/explain.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { Tx } from "../../storage/database.ts"
import type { Organization } from "../../storage/organizations.ts"

/**
 * An import in progress. Each part of the file is checked first, and the check returns the function that writes it. Nothing is
 * written before all parts were checked, so that people see every problem at once.
 */
export interface Importing {
  readonly tx: Tx
  readonly at: Moment
  readonly problems: Problem[]
  /** The organizations as they were before, by slug. */
  readonly stored: ReadonlyMap<string, Organization>
  /** The IDs of organizations by slug. Those that are new in the file get theirs when they're written. */
  readonly ids: Map<string, number | null>
}

export interface Count {
  readonly created: number
  readonly updated: number
}

/** Counts entries by whether they update something that's already stored. */
export function countOf(entries: readonly { readonly known: unknown }[]): Count {
  const created = entries.filter(({ known }) => known === undefined).length
  return { created, updated: entries.length - created }
}

export function addProblem({ problems }: Importing, pointer: string, message: string): void {
  problems.push({ pointer, message, keyword: "import" })
}

/** Adds the errors of a form at the fields of an entry. `names` has the fields that a file names in another way. */
export function addErrors(
  importing: Importing,
  pointer: string,
  errors: Partial<Errors>,
  names: Readonly<Record<string, string>> = {},
): void {
  for (const [field, error] of Object.entries(errors))
    if (error !== undefined) addProblem(importing, `${pointer}/${names[field] ?? field}`, error)
}

/** Refuses the slug of an organization that's neither stored nor in the file. */
export function checkSlug(importing: Importing, slug: string | null | undefined, pointer: string): void {
  if (slug == null || importing.ids.has(slug)) return
  addProblem(importing, pointer, `Unknown organization "${slug}". Add it to this file, or create it first.`)
}

/** The ID of an organization, once all of them are written. */
export function idOf({ ids }: Importing, slug: string): number {
  const id = ids.get(slug)
  if (id == null) throw new Error(`The organization ${slug} wasn't checked.`)
  return id
}

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
