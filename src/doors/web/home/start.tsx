import { OPERATOR } from "../frame/navigation.ts"
import { Empty } from "../parts/feedback.tsx"
import { headedPage } from "../parts/page.tsx"
import { goTo } from "../respond.ts"
import { forSignedIn } from "../route.ts"
import type { PersonVisit } from "../visit.ts"

/** The start page: the home of the first organization, or the operator's overview. */
function start(visit: PersonVisit): Response {
  const [first] = visit.person.organizations
  if (first !== undefined) return goTo(visit, `/app/o/${first.slug}`, visit.flash ?? undefined)
  if (visit.person.isOperator) return goTo(visit, OPERATOR, visit.flash ?? undefined)
  return headedPage(visit, {
    title: "Welcome",
    heading: `Welcome, ${visit.person.name}`,
    body: (
      <Empty
        title="You do not belong to an organization yet"
        text="The operator of this installation can add you to one."
      />
    ),
  })
}

export const startRoutes = [forSignedIn("GET", "/app", start)]
