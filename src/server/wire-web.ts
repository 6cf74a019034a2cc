import { baseApp } from "../doors/http/base-app.ts"
import type { Handle } from "../doors/http/lazy-door.ts"
import { webDoor } from "../doors/web/index.ts"
import type { BackupSchedule } from "../jobs/backup-schedule.ts"
import type { Deps } from "./deps.ts"
import { linkOrigins } from "./own-addresses.ts"

/** The pages of the app with everything they need. `listening` is called only after the server listens. */
export function wireWeb(parts: Deps, backups: BackupSchedule, listening: () => string): Handle {
  const linkOrigin = linkOrigins(parts.config, listening)
  return baseApp(parts.log).use(webDoor({ ...parts, backups, linkOrigin })).fetch
}
