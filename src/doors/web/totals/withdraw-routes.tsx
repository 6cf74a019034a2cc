import type { Withdrawer } from "../../../domain/delivery/withdrawal.ts"
import { type Errors, readForm } from "../form.ts"
import { forMember, type PageAnswer } from "../guards.ts"
import { Field } from "../parts/form/form.tsx"
import { confirmPage, type Question } from "../respond.tsx"
import type { OrganizationVisit } from "../visit.ts"

export const withdrawerOf = ({ person, role }: OrganizationVisit): Withdrawer => ({
  userId: person.userId,
  isAdmin: role === "admin",
})

type WithdrawnBy = Withdrawer & Readonly<{ reason: string; actor: string }>

/** The routes that withdraw what was reported: a page asks why, and its form does it. */
export function withdrawRoutes<Target>(
  path: string,
  withTarget: (
    answer: (visit: OrganizationVisit, target: Target) => PageAnswer,
  ) => (visit: OrganizationVisit) => Promise<Response>,
  questionOf: (visit: OrganizationVisit, target: Target) => Omit<Question, "href"> & { readonly cancel: string },
  withdraw: (visit: OrganizationVisit, target: Target, by: WithdrawnBy) => Promise<Response | { errors: Errors }>,
) {
  const why = <Field name="reason" label="Reason" required maxlength={500} hint="Buyers don’t see this." />
  const ask = (visit: OrganizationVisit, target: Target, reason = "", errors: Errors = {}) =>
    confirmPage(visit, { ...questionOf(visit, target), values: { reason }, errors, children: why })
  const submit = async (visit: OrganizationVisit, target: Target) => {
    const reason = (await readForm(visit.request)).text("reason")
    const answer = await withdraw(visit, target, { ...withdrawerOf(visit), reason, actor: visit.actor })
    return answer instanceof Response ? answer : ask(visit, target, reason, answer.errors)
  }
  const asking = withTarget((visit, target) => ask(visit, target))
  return [forMember("GET", path, asking), forMember("POST", path, withTarget(submit))]
}
