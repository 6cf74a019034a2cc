import type { MemberRole } from "../../domain/people/organization.ts"
import { pageAdminsOnly, pageNotFound } from "./error-pages.tsx"
import { FormRefused } from "./form.ts"
import { askPage, problem, type Question, signInFirst } from "./respond.tsx"
import { keepForm, refererOf, signInAndKeep } from "./sign-in/resume-after-sign-in.tsx"
import { type OrganizationVisit, type PersonVisit, param, type Visit } from "./visit.ts"

/**
 * Who may use a route. The guard is part of every route, so none can be without.
 * anyone: also without an account. signed_in: everybody with one. member and admin: of the organization in the path, and the
 * operator. operator: nobody else.
 */
export type Audience = "anyone" | "signed_in" | "member" | "admin" | "operator"
export type Method = "GET" | "POST"
export type PageAnswer = Response | Promise<Response>

export type Route = Readonly<{ method: Method; path: string; who: Audience; answer: (visit: Visit) => PageAnswer }>

/** One of the functions below: what it makes a route of. */
export type Router<V extends Visit> = (method: Method, path: string, answer: (visit: V) => PageAnswer) => Route

export function forAnyone(method: Method, path: string, answer: (visit: Visit) => PageAnswer): Route {
  return { method, path, who: "anyone", answer }
}

export function forSignedIn(method: Method, path: string, answer: (visit: PersonVisit) => PageAnswer): Route {
  return { method, path, who: "signed_in", answer: (visit) => withPerson(visit, answer) }
}

/** The path has the part `:org`, the organization's slug. */
export function forMember(method: Method, path: string, answer: (visit: OrganizationVisit) => PageAnswer): Route {
  return { method, path, who: "member", answer: (visit) => withOrganization(visit, "member", answer) }
}

/** The path has the part `:org`, the organization's slug. */
export function forAdmin(method: Method, path: string, answer: (visit: OrganizationVisit) => PageAnswer): Route {
  return { method, path, who: "admin", answer: (visit) => withOrganization(visit, "admin", answer) }
}

export function forOperator(method: Method, path: string, answer: (visit: PersonVisit) => PageAnswer): Route {
  const guarded = (visit: PersonVisit) => (visit.person.isOperator ? answer(visit) : pageNotFound(visit))
  return { method, path, who: "operator", answer: (visit) => withPerson(visit, guarded) }
}

/** The path has the part `:org`, the organization's slug. */
export function forOperatorOf(method: Method, path: string, answer: (visit: OrganizationVisit) => PageAnswer): Route {
  const guarded = (visit: OrganizationVisit) => (visit.person.isOperator ? answer(visit) : pageNotFound(visit))
  return { method, path, who: "operator", answer: (visit) => withOrganization(visit, "member", guarded) }
}

/** Answers with what the path names, or with "not found". */
export function withFound<Known extends Visit, Found>(
  find: (visit: Known) => Promise<Found | null | undefined>,
  show: (visit: Known, target: Found) => PageAnswer,
  otherwise: (visit: Known) => PageAnswer = pageNotFound,
) {
  return async (visit: Known): Promise<Response> => {
    const target = await find(visit)
    return target == null ? otherwise(visit) : show(visit, target)
  }
}

/** The routes of something that cannot be undone: a page asks, and its form does it. */
export function askFirst<V extends Visit, Found>(
  route: Router<V>,
  path: string,
  find: (visit: V) => Promise<Found | null | undefined>,
  act: (visit: V, target: Found) => PageAnswer,
  questionOf: (visit: V, target: Found) => Question,
  otherwise?: (visit: V) => PageAnswer,
): Route[] {
  const ask = (visit: V, target: Found) => askPage(visit, questionOf(visit, target))
  return [route("GET", path, withFound(find, ask, otherwise)), route("POST", path, withFound(find, act, otherwise))]
}

function withPerson(visit: Visit, answer: (visit: PersonVisit) => PageAnswer): PageAnswer {
  if (visit.person === null) return askToSignIn(visit)
  return answer({ ...visit, person: visit.person, actor: `user:${visit.person.userId}` })
}

const NOT_KEPT =
  "Your session has ended, and what you sent is too long to keep. Nothing was saved. Sign in, then go back in your browser and send it again."

/** A form that was sent without a session comes back after signing in. */
async function askToSignIn(visit: Visit): Promise<Response> {
  if (visit.request.method === "GET") return signInFirst(visit, visit.url.pathname + visit.url.search)
  const form = await keepForm(visit).catch((cause: unknown) => {
    if (cause instanceof FormRefused && cause.why === "too large") return null
    throw cause
  })
  if (form === null) return signInFirst(visit, refererOf(visit), problem(NOT_KEPT))
  return form.fields.length === 0 ? signInFirst(visit, form.from) : signInAndKeep(visit, form)
}

const withOrganization = (
  visit: Visit,
  needed: MemberRole,
  answer: (visit: OrganizationVisit) => PageAnswer,
): PageAnswer =>
  withPerson(visit, async (person) => {
    const entered = await enter(person)
    // The same answer for somebody else's organization and for a missing one.
    if (entered === null) return pageNotFound(person)
    if (needed === "admin" && entered.role !== "admin") return pageAdminsOnly(entered)
    return answer(entered)
  })

async function enter(visit: PersonVisit): Promise<OrganizationVisit | null> {
  const slug = param(visit, "org")
  const membership = visit.person.organizations.find((organization) => organization.slug === slug)
  if (visit.person.isOperator) {
    const organization = membership ?? (await visit.context.store.organizations.findBySlug(slug))
    return organization === null ? null : { ...visit, organization, role: "admin" }
  }
  return membership === undefined ? null : { ...visit, organization: membership, role: membership.role }
}
