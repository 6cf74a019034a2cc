import { OPERATOR } from "../operator/navigation.ts"
import { Empty, Heading } from "../parts/widgets.tsx"
import { goTo, page } from "../respond.ts"
import { forMember, forSignedIn } from "../route.ts"
import type { PersonVisit } from "../visit.ts"

/** Where somebody goes who names no page: to the work of the first organization, or to the operator's pages. */
function start(visit: PersonVisit): Response {
  const [first] = visit.person.organizations
  if (first !== undefined) return goTo(visit, `/app/o/${first.slug}/campaigns`, visit.flash ?? undefined)
  if (visit.person.isOperator) return goTo(visit, OPERATOR, visit.flash ?? undefined)
  return page(visit, {
    title: "Welcome",
    body: (
      <>
        <Heading title={`Welcome, ${visit.person.name}`} />
        <Empty title="You belong to no organization yet">
          <p>The operator of this installation can add you to one.</p>
        </Empty>
      </>
    ),
  })
}

export const startRoutes = [
  forSignedIn("GET", "/app", start),
  forMember("GET", "/app/o/:org", (visit) => goTo(visit, `/app/o/${visit.organization.slug}/campaigns`)),
]
