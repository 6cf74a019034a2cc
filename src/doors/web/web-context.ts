import type { AlertChannel } from "../../actions/alerts/send-alerts.ts"
import type { Context } from "../../actions/context.ts"
import type { BackupService } from "../../actions/operations/backups.ts"
import type { Config, ShownSettings } from "../../config.ts"
import type { BucketService } from "../../domain/operations/bucket.ts"
import type { HttpsService } from "../../domain/operations/https.ts"
import type { MailService } from "../../domain/operations/mail.ts"
import type { Moment } from "../../domain/time/moment.ts"
import type { Log } from "../../log/log.ts"

export interface WebContext extends Context {
  readonly config: Config
  readonly settings: ShownSettings
  readonly log: Log
  /** The origin of links on a page that was requested at this address. */
  readonly linkOrigin: (url: URL) => string
  /** The origin of links in mail that a stranger asked for at this address. */
  readonly mailOrigin: (url: URL) => string
  /** Where agents call, as somebody at this address would. */
  readonly agentAt: (url: URL) => string
  /** What strangers get at an https address; throws why there is nothing. */
  readonly lookOutside: (url: string) => Promise<{ readonly status: number; readonly text: string }>
  /** A page of the app, as a browser with these cookies would get it. */
  readonly open: (request: Request) => Promise<Response>
  readonly alertChannels: () => Promise<readonly AlertChannel[]>
  readonly diskFreeBytes: () => Promise<number>
  readonly https: HttpsService
  readonly bucket: BucketService
  readonly mail: MailService
  /** Starts the program again, which takes over without a lost request; null where that cannot be done. */
  readonly startAgain?: (() => void) | null
  readonly diskTotalBytes: () => Promise<number>
  readonly startedAt: Moment
  readonly backups: BackupService
}
