import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { COUNTED_BASES } from "../../../domain/campaign/pricing-basis.ts"
import { parseJson } from "../../../domain/schema/json.ts"
import { numberOrText } from "../../../domain/text/typed-number.ts"
import type { FlyingLine } from "../../../storage/port/store.ts"
import type { SentForm } from "../form.ts"
import type { OrganizationVisit } from "../visit.ts"

export const totalsOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/totals`

/** The grid with one line, whether or not it runs. */
export const totalOf = ({ seller, packageId }: Pick<FlyingLine, "seller" | "packageId">) =>
  `/app/o/${seller.slug}/totals?line=${packageId}`

/** The person who types figures into a form. */
export const reporterOf = ({ organization, person }: OrganizationVisit) => {
  const source = { kind: "form", reference: String(person.userId), detail: "" } as const
  return { organizationId: organization.id, source }
}

export type Typed = Readonly<{ total: string; answer: string; isConfirmed: boolean }>

export type TypedByLine = ReadonlyMap<string, Typed>

const TOTAL = "total."
/** What was typed on other pages of the grid. One field for all: a form has only so many. */
const ELSEWHERE = "elsewhere"

export const nameOf = {
  total: (packageId: string) => TOTAL + packageId,
  answer: (packageId: string) => `answer.${packageId}`,
  confirmed: (packageId: string) => `anyway.${packageId}`,
}

/** Everything that was typed, also on other pages. */
export function typedIn(form: SentForm): TypedByLine {
  const typed = new Map(carried(form.raw(ELSEWHERE)))
  for (const [name, value] of form.entries()) {
    if (!name.startsWith(TOTAL)) continue
    const packageId = name.slice(TOTAL.length)
    const total = value.trim()
    const answered = { answer: form.text(nameOf.answer(packageId)), isConfirmed: form.has(nameOf.confirmed(packageId)) }
    if (total === "") typed.delete(packageId)
    else typed.set(packageId, { total, ...answered })
  }
  return typed
}

/** The hidden field with what was typed on other pages than this one. */
export function offPage(typed: TypedByLine, visible: ReadonlySet<string>): Record<string, string> {
  const others = [...typed].filter(([packageId]) => !visible.has(packageId))
  const texts = others.map(([packageId, { total, answer, isConfirmed }]) => [packageId, total, answer, isConfirmed])
  return texts.length === 0 ? {} : { [ELSEWHERE]: JSON.stringify(texts) }
}

const Carried = Type.Array(Type.Tuple([Type.String(), Type.String(), Type.String(), Type.Boolean()]))

function carried(text: string): [string, Typed][] {
  const texts = text === "" ? [] : parseJson(text)
  if (!Value.Check(Carried, texts)) return []
  return texts.map(([packageId, total, answer, isConfirmed]) => [packageId, { total, answer, isConfirmed }])
}

/** As a program would send it. */
export function enteredTotal({ packageId, pricingBasis }: FlyingLine, { total, ...answered }: Typed, asOf: string) {
  const isFlat = pricingBasis === "flat_rate"
  const figure = isFlat ? {} : { [pricingBasis]: numberOrText(total, COUNTED_BASES[pricingBasis].number) }
  const element: Record<string, unknown> = { package_id: packageId, ...(asOf !== "" && { as_of: asOf }), ...figure }
  return { element, ...answered }
}
