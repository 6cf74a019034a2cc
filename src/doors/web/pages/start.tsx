import { OPERATOR } from "../operator/navigation.ts"
import { headedPage } from "../parts/page-kinds.tsx"
import { Empty } from "../parts/widgets.tsx"
import { goTo } from "../respond.ts"
import { forMember, forSignedIn } from "../route.ts"
import type { PersonVisit } from "../visit.ts"

/** Where somebody goes who names no page: to the work of the first organization, or to the operator's pages. */
function start(visit: PersonVisit): Response {
  const [first] = visit.person.organizations
  if (first !== undefined) return goTo(visit, `/app/o/${first.slug}/campaigns`, visit.flash ?? undefined)
  if (visit.person.isOperator) return goTo(visit, OPERATOR, visit.flash ?? undefined)
  return headedPage(visit, {
    title: "Welcome",
    heading: `Welcome, ${visit.person.name}`,
    body: (
      <Empty title="You belong to no organization yet" text="The operator of this installation can add you to one." />
    ),
  })
}

export const startRoutes = [
  forSignedIn("GET", "/app", start),
  forMember("GET", "/app/o/:org", (visit) => goTo(visit, `/app/o/${visit.organization.slug}/campaigns`)),
]
