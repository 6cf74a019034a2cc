import type { ListedAuditEntry } from "../../../../storage/port/store.ts"
import { isOrganizationVisit, type PersonVisit, readId } from "../../visit.ts"

/** A change in the audit trail: its action and subject, such as "edit line" and the line's ID. */
export type ChangeOf = readonly [action: string, subject: string]

// Enough to get past other things that have the subject in their details.
const ENTRIES_READ = 20
/** The same person, twice. */
export const YOU = "You"
const NOBODY_KNOWN = "Somebody else"

/** Who made the latest of these changes, as this reader may know it: operators know everybody, an admin the members of the organization. */
export async function savedBy(visit: PersonVisit, changes: readonly ChangeOf[]): Promise<string> {
  // An import can change anything, and is one entry.
  const found = await Promise.all([...changes, ["import file", "catalogue"] as const].map((one) => latest(visit, one)))
  const newest = found.flatMap((entry) => entry ?? []).toSorted((one, other) => other.id - one.id)[0]
  if (newest === undefined) return NOBODY_KNOWN
  const { actor } = newest
  if (actor === visit.actor) return YOU
  if (newest.action === "import file") return "An import"
  return actor.startsWith("user:") ? nameOf(visit, readId(actor.slice("user:".length))) : "Somebody on the command line"
}

async function latest({ context }: PersonVisit, [action, subject]: ChangeOf): Promise<ListedAuditEntry | undefined> {
  const page = { before: null, limit: ENTRIES_READ }
  const { entries } = await context.store.audit.list({ action, text: subject }, page)
  return entries.find((entry) => entry.subject === subject)
}

async function nameOf(visit: PersonVisit, userId: number | null): Promise<string> {
  const { store } = visit.context
  const user = userId === null ? null : await store.users.findById(userId)
  if (user === null) return NOBODY_KNOWN
  if (visit.person.isOperator) return user.name
  const isColleague = isOrganizationVisit(visit) && (await store.members.find(visit.organization.id, user.id)) !== null
  if (isColleague) return user.name
  return user.isOperator ? "The operator" : NOBODY_KNOWN
}
