import type { Change } from "../../domain/people/audit.ts"

/** Facts about the installation that have to survive a restart. */
export type Settings = SettingReads & SettingWrites

export interface SettingReads {
  get(name: SettingName): Promise<string | null>
}

export interface SettingWrites {
  set(name: SettingName, value: string): Promise<void>
  /** A secret of the installation: what is stored or, the first time, this one. Not readable by doors. */
  secret(name: SecretName, unlessStored: string): Promise<string>
  /** Sets what people choose, with its audit entry; false when the value is no longer the one before. */
  choose(
    name: SettingName,
    value: { readonly before: string | null; readonly after: string },
    change: Change & { readonly action: string; readonly subject: string; readonly details: unknown },
  ): Promise<boolean>
}

/**
 * address: where the server last listened, so that other commands can print links to it. agent_address: the same for the sales agent.
 * last_backup: the result of the last scheduled backup. last_restore: the same of the last backup that was restored from the app.
 * backup_schedule: when to make them. served_with: the settings that the server was last started with.
 * versions_run: the versions of the program that served from this database. alert_channels: where its alerts go, without secrets.
 * handed_over: on which machine and when a server last stopped for another process that did not serve yet; empty since one does.
 */
export type SettingName =
  | "address"
  | "last_backup"
  | "last_restore"
  | "backup_schedule"
  | "served_with"
  | "agent_address"
  | "versions_run"
  | "alert_channels"
  | "handed_over"

/** browser_secret: signs what a browser knows of who has signed in with it. */
export type SecretName = "browser_secret"
