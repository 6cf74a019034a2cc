import type { Role } from "./role.ts"

/** What an account may do, as an import file has it. */
export interface ImportedRights {
  readonly isOperator: boolean
  /** The slug of the organization that the person belongs to. Null for none. */
  readonly organization: string | null
  readonly role: Role | null
}

interface StoredRights {
  readonly isOperator: boolean
  readonly seats: readonly { readonly organization: { readonly slug: string }; readonly role: Role }[]
}

/**
 * Why an import may not have this person, or null if it may. An import creates accounts but never changes the rights of an
 * existing one: another person may have registered it under this address.
 */
export function importProblem(email: string, stored: StoredRights | null, imported: ImportedRights): string | null {
  if (stored === null) return null
  const seat = stored.seats.find(({ organization }) => organization.slug === imported.organization)
  const hasSeat = imported.organization === null || seat?.role === imported.role
  if (hasSeat && stored.isOperator === imported.isOperator) return null
  return `${email} already has an account with other rights. An import never changes the rights of an existing account: change them in the app.`
}
