import type { MemberRole } from "../../domain/people/organization.ts"
import { pageAdminsOnly, pageNotFound } from "./error-pages.tsx"
import { FormRefused } from "./form.ts"
import { problem, signInFirst } from "./respond.ts"
import { keepForm, refererOf, signInAndKeep } from "./sign-in/resume-after-sign-in.tsx"
import { type OrganizationVisit, type PersonVisit, param, type Visit } from "./visit.ts"

/**
 * Who may use a route. The guard is part of every route, so none can be without.
 * anyone: also without an account. signed_in: everybody with one. member and admin: of the organization in the path, and the
 * operator. operator: nobody else.
 */
export type Audience = "anyone" | "signed_in" | "member" | "admin" | "operator"
export type Method = "GET" | "POST"
export type Answer = Response | Promise<Response>

export type Route = Readonly<{ method: Method; path: string; who: Audience; answer: (visit: Visit) => Answer }>

/** One of the functions below: what it makes a route of. */
export type Router<V extends Visit> = (method: Method, path: string, answer: (visit: V) => Answer) => Route

// Functions, not arrows: pages that this file needs make routes while it is still loading.

export function forAnyone(method: Method, path: string, answer: (visit: Visit) => Answer): Route {
  return { method, path, who: "anyone", answer }
}

export function forSignedIn(method: Method, path: string, answer: (visit: PersonVisit) => Answer): Route {
  return { method, path, who: "signed_in", answer: (visit) => withPerson(visit, answer) }
}

/** The path has the part `:org`, the organization's slug. */
export function forMember(method: Method, path: string, answer: (visit: OrganizationVisit) => Answer): Route {
  return { method, path, who: "member", answer: (visit) => withOrganization(visit, "member", answer) }
}

/** The path has the part `:org`, the organization's slug. */
export function forAdmin(method: Method, path: string, answer: (visit: OrganizationVisit) => Answer): Route {
  return { method, path, who: "admin", answer: (visit) => withOrganization(visit, "admin", answer) }
}

export function forOperator(method: Method, path: string, answer: (visit: PersonVisit) => Answer): Route {
  const guarded = (visit: PersonVisit) => (visit.person.isOperator ? answer(visit) : pageNotFound(visit))
  return { method, path, who: "operator", answer: (visit) => withPerson(visit, guarded) }
}

/** Answers with what the path names, or with "not found". */
export function withFound<Known extends Visit, Found>(
  find: (visit: Known) => Promise<Found | null | undefined>,
  show: (visit: Known, target: Found) => Answer,
  otherwise: (visit: Known) => Answer = pageNotFound,
) {
  return async (visit: Known): Promise<Response> => {
    const target = await find(visit)
    return target == null ? otherwise(visit) : show(visit, target)
  }
}

function withPerson(visit: Visit, answer: (visit: PersonVisit) => Answer): Answer {
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

const withOrganization = (visit: Visit, needed: MemberRole, answer: (visit: OrganizationVisit) => Answer): Answer =>
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
