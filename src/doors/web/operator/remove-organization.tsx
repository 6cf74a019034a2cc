import { removeOrganization } from "../../../actions/people/organizations.ts"
import { pageNotFound } from "../pages/error-pages.tsx"
import { confirmPage } from "../parts/page-kinds.tsx"
import { done, goTo, problem } from "../respond.ts"
import { forOperator, withFound } from "../route.ts"
import { type PersonVisit, param } from "../visit.ts"
import { at, ORGANIZATIONS } from "./navigation.ts"

const find = (visit: PersonVisit) => visit.context.store.organizations.findBySlug(param(visit, "slug"))

async function remove(visit: PersonVisit, { slug, name }: { slug: string; name: string }): Promise<Response> {
  const outcome = await removeOrganization(visit.context, slug, visit.actor)
  if (outcome === "not found") return pageNotFound(visit)
  const inUse = `${name} still has members, keys, campaigns, lines or affiliate codes, so it cannot be deleted.`
  if (outcome === "in use") return goTo(visit, at(ORGANIZATIONS, slug), problem(inUse))
  return goTo(visit, ORGANIZATIONS, done(`${name} has been deleted.`))
}

const DELETE = `${ORGANIZATIONS}/:slug/delete`

export const removeOrganizationRoutes = [
  forOperator(
    "GET",
    DELETE,
    withFound(find, (visit, { slug, name }) =>
      confirmPage(visit, {
        title: "Delete organization",
        active: ORGANIZATIONS,
        question: `Delete ${name}?`,
        text: "Only an organization that nothing depends on can be deleted. This cannot be undone.",
        action: at(ORGANIZATIONS, slug, "delete"),
        submit: "Delete organization",
        cancel: at(ORGANIZATIONS, slug),
      }),
    ),
  ),
  forOperator("POST", DELETE, withFound(find, remove)),
]
