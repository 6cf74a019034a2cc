import { goTo } from "../../flash.ts"
import { page } from "../../page.tsx"
import type { SignedInVisit } from "../../visit.ts"

/** Redirects to the page where this person starts. */
export function startPage(visit: SignedInVisit): Response {
  const organization = visit.menu?.organization ?? null
  if (organization !== null) return goTo(visit, `/app/o/${organization.slug}`)
  if (visit.user.isOperator) return goTo(visit, "/app/set-up")
  const intro = "Ask an admin of your organization, or the operator of this server, to add you."
  return page(visit, { title: "You don’t belong to an organization yet", intro, isCard: true, body: null })
}
