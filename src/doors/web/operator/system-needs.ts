import { alertStatus, type ChannelStatus } from "../../../actions/alerts/alert-status.ts"
import { backupSchedule, lastBackup } from "../../../actions/operations/backups.ts"
import { checkReadiness, type ReadinessCheck } from "../../../actions/operations/readiness.ts"
import type { Todo } from "../parts/blocks.tsx"
import type { IconName } from "../parts/icon.tsx"
import type { WebContext } from "../web-context.ts"

/** Something about the server that needs its operator. */
export interface SystemNeed {
  readonly key: keyof typeof SUBJECTS
  readonly text: string
}

const SUBJECTS = {
  database: "The database does not answer",
  migrations: "The database has another version",
  disk: "The disk is nearly full",
  backup: "Backups have stopped",
  https: "HTTPS has a problem",
  copies: "Backups are not copied to the bucket",
  calls: "The log of agents’ calls is full",
  schedule: "Backups are not scheduled",
  alerts: "No alerts are set up",
  unsent: "Alerts do not arrive",
}

const ICONS: Readonly<Partial<Record<SystemNeed["key"], IconName>>> = {
  disk: "server",
  alerts: "message",
  unsent: "message",
}

/** As a row of a list; where it is done depends on the page. */
export const needTodo = ({ key, text }: SystemNeed): Todo => ({
  tone: key === "schedule" || key === "alerts" ? "warn" : "bad",
  icon: ICONS[key] ?? "database",
  subject: SUBJECTS[key],
  what: "",
  text,
})

/** What needs the operator, the worst first. */
export async function systemNeeds(context: WebContext): Promise<readonly SystemNeed[]> {
  const { store, config } = context
  const [checks, { every }, alerts, last, dismissed] = await Promise.all([
    checkReadiness(context, surroundingsOf(context)),
    backupSchedule(store, config),
    alertStatus(store),
    lastBackup(store),
    store.settings.get("alerts_dismissed"),
  ])
  const wrong = checks.filter(({ ok }) => !ok).map((check) => needOf(check, last?.problem ?? null))
  const failing = alerts.channels.find((channel) => channel.failing !== null)
  const needs: (SystemNeed | false | undefined)[] = [
    ...wrong,
    every === null && { key: "schedule", text: NO_SCHEDULE },
    alerts.channels.length === 0 && dismissed === null && { key: "alerts", text: NO_ALERTS },
    failing && { key: "unsent", text: notSent(failing) },
  ]
  return needs.filter((need) => !!need)
}

const NO_SCHEDULE = "If this server breaks, everything since the last copy is lost."
const NO_ALERTS = "A full disk, a failed backup or a silent API key is only shown here. One address is enough."
const notSent = ({ target, failing }: ChannelStatus) =>
  `The last one to ${target} could not be sent: ${failing?.problem ?? ""}`

export const surroundingsOf = ({ diskFreeBytes, config }: WebContext) => ({ ...config, diskFreeBytes })

function needOf({ name, detail }: ReadinessCheck, problem: string | null): SystemNeed {
  const text = name === "backup" ? (problem ?? "The last one is overdue.") : detail
  return { key: name as SystemNeed["key"], text }
}
