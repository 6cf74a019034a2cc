import { Empty } from "../parts/feedback.tsx"
import { headedPage } from "../parts/page.tsx"
import { goTo } from "../respond.ts"
import { forSignedIn } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { SET_UP } from "./first-run.tsx"

/** The start page: the home of the organization that somebody looked at last, or of the first. */
function start(visit: PersonVisit): Response {
  const { place, person, flash } = visit
  if (place?.organization != null) return goTo(visit, `/app/o/${place.organization.slug}`, flash ?? undefined)
  if (person.isOperator) return goTo(visit, SET_UP, flash ?? undefined)
  return headedPage(visit, {
    title: "Welcome",
    heading: `Welcome, ${person.name}`,
    body: (
      <Empty
        title="You do not belong to an organization yet"
        text="The operator of this installation can add you to one."
      />
    ),
  })
}

export const startRoutes = [forSignedIn("GET", "/app", start)]
