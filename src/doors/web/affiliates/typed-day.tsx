import { parseJson } from "../../../domain/schema/exact-json.ts"
import { CONVERSION_VALUE, readNumber, WHOLE } from "../../../domain/text/typed-number.ts"
import { daysBefore } from "../../../domain/time/moment.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import { readTypedDay } from "../../../domain/time/typed-day.ts"
import type { SentForm } from "../form.ts"
import { Card } from "../parts/blocks.tsx"
import { Field } from "../parts/form/fields.tsx"
import { type Draft, Form } from "../parts/form/form.tsx"
import type { OrganizationVisit } from "../visit.ts"

const FIGURES = { clicks: WHOLE, conversions: WHOLE, value: CONVERSION_VALUE } as const

export type TypedDay = Readonly<Record<"date" | keyof typeof FIGURES, string>>

type DayFormProps = Readonly<{ visit: OrganizationVisit; action: string; draft: Draft<TypedDay> | undefined }>

/** The figures of one day of a code. Typed again, they replace those that are stored. */
export function DayForm({ visit: { now, organization }, action, draft }: DayFormProps) {
  const today = dayOf(now, organization.timeZone)
  const typed = draft?.typed ?? { date: daysBefore(today, 1), clicks: "", conversions: "", value: "" }
  return (
    <Card title="Report a day">
      <Form action={action} submit="Save figures" values={typed} errors={draft?.errors ?? {}}>
        <div class="fields">
          <Field name="date" label="Day" type="date" required />
          <Field name="clicks" label="Clicks" inputmode="numeric" autocomplete="off" />
          <Field name="conversions" label="Conversions" inputmode="numeric" autocomplete="off" />
          <Field name="value" label="Conversion value" inputmode="decimal" autocomplete="off" />
        </div>
        <p class="hint">Leave a figure empty to keep what is stored for that day.</p>
      </Form>
    </Card>
  )
}

/** What was typed as a row of the feed, or what is wrong with it. */
export function readDay(form: SentForm, code: string) {
  const typed: TypedDay = form.texts("date", "clicks", "conversions", "value")
  const errors: Partial<Record<keyof TypedDay, string>> = {}
  const day = readTypedDay(typed.date)
  if (!day.ok) errors.date = day.message
  const read = (name: keyof typeof FIGURES) => {
    if (typed[name] === "") return undefined
    const number = readNumber(typed[name], FIGURES[name])
    if (!number.ok) errors[name] = number.message
    // Every digit, as from JSON.
    return number.ok ? parseJson(number.digits) : undefined
  }
  const figures = { clicks: read("clicks"), conversions: read("conversions"), conversionValue: read("value") }
  if (
    Object.values(typed)
      .slice(1)
      .every((text) => text === "")
  )
    errors.clicks = "Enter at least one figure."
  return { typed, errors, row: { code, date: day.ok ? day.day : "", ...figures } }
}
