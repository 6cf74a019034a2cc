import type { Preset } from "../domain/presets/preset.ts"
import { baseApp } from "../doors/http/base-app.ts"
import type { Handle } from "../doors/http/lazy-door.ts"
import { webDoor } from "../doors/web/index.ts"
import type { BackupSchedule } from "../jobs/backup-schedule.ts"
import type { UploadJobs } from "../jobs/work-on-uploads.ts"
import type { Deps } from "./deps.ts"
import { linkOrigins } from "./own-addresses.ts"

/** The jobs that people start from pages, and what they need. */
export interface WebJobs {
  readonly backups: BackupSchedule
  readonly uploads: UploadJobs
  readonly presets: () => readonly Preset[]
}

/** The pages of the app with everything they need. `listening` is called only after the server listens. */
export function wireWeb(parts: Deps, jobs: WebJobs, listening: () => string): Handle {
  const linkOrigin = linkOrigins(parts.config, listening)
  return baseApp(parts.log).use(webDoor({ ...parts, ...jobs, linkOrigin })).fetch
}
