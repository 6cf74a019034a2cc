import { callLogDays, chooseCallLogDays } from "../../../../actions/operations/agent-settings.ts"
import { CALLS_KEPT_MAX } from "../../../../domain/limits.ts"
import { InvalidSetting } from "../../../../domain/operations/service-settings.ts"
import { DAYS_KEPT } from "../../../../domain/operations/setting.ts"
import { SYSTEM } from "../../frame/navigation.ts"
import { Field } from "../../parts/form/form.tsx"
import { formatCount, formatNumber } from "../../parts/format.tsx"
import { done } from "../../respond.tsx"
import type { PersonVisit } from "../../visit.ts"
import { serviceRoutes } from "./service.tsx"

const CALL_LOG = `${SYSTEM}/call-log`

export const CallLogNote = async ({ context }: PersonVisit) => (
  <p>
    Requests of buyers’ agents are kept for {formatCount(await callLogDays(context.store), "day")}.{" "}
    <a href={CALL_LOG}>Change</a>
  </p>
)

export const callLogRoutes = serviceRoutes({
  page: CALL_LOG,
  title: "How long requests are kept",
  submit: "Save",
  intro: `Each request of a buyer’s agent is kept with its brief, up to ${formatNumber(CALLS_KEPT_MAX)} of them.`,
  start: async ({ context }) => ({ days: String(await callLogDays(context.store)) }),
  fields: () => (
    <Field
      name="days"
      label="Keep requests for"
      unit="days"
      inputmode="numeric"
      required
      hint="Older ones are deleted."
    />
  ),
  read: (form) => form.texts("days"),
  async save({ context, actor }, { days: typed }) {
    const days = DAYS_KEPT.read(typed)
    if (days instanceof InvalidSetting) return { errors: { days: `This ${days.sentence}.` } }
    await chooseCallLogDays(context, days, actor)
    return done(`Requests are kept for ${formatCount(days, "day")}.`)
  },
})
