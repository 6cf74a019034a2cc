import { type Static, Type } from "@sinclair/typebox"
import type { Moment } from "../time/moment.ts"

export const BACKUPS_KEPT = 7
export const BACKUPS_KEPT_MAX = 10_000

/** When backups are made, as chosen in the app or by a command; `every` is null for never. */
export const BackupSchedule = Type.Object({
  every: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  keep: Type.Integer({ minimum: 1, maximum: BACKUPS_KEPT_MAX }),
})
export type BackupSchedule = Static<typeof BackupSchedule>

/** What the server was started with; null where neither an option nor the environment says anything. */
export interface StartedWith {
  readonly backupEvery: Moment | null
  readonly backupKeep: number | null
}

export type ScheduleOrigin = "option" | "chosen" | "default"

export interface ScheduleInForce extends BackupSchedule {
  readonly from: { readonly every: ScheduleOrigin; readonly keep: ScheduleOrigin }
}

/** An option of the server goes first, then what somebody chose. */
export function scheduleInForce(started: StartedWith, chosen: BackupSchedule | null): ScheduleInForce {
  const origin = (pinned: number | null): ScheduleOrigin =>
    pinned !== null ? "option" : chosen !== null ? "chosen" : "default"
  return {
    every: started.backupEvery ?? chosen?.every ?? null,
    keep: started.backupKeep ?? chosen?.keep ?? BACKUPS_KEPT,
    from: { every: origin(started.backupEvery), keep: origin(started.backupKeep) },
  }
}
