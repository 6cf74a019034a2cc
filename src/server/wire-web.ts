import { withChoices } from "../actions/alerts/alert-choice.ts"
import { BODY_BYTES_MAX } from "../domain/limits.ts"
import type { Moment } from "../domain/time/moment.ts"
import { baseApp } from "../doors/http/base-app.ts"
import type { Handle } from "../doors/http/lazy-door.ts"
import { openapiWithoutServer } from "../doors/ingest/openapi.ts"
import type { ApiDocument } from "../doors/web/guides/reference.tsx"
import { guideRoutes } from "../doors/web/guides/routes.tsx"
import { webDoor } from "../doors/web/index.ts"
import { openChannels } from "../jobs/alerts/channels.ts"
import { lookOutside } from "../jobs/alerts/network.ts"
import type { BackupSchedule } from "../jobs/backup-schedule.ts"
import { bucketService } from "../jobs/bucket-in-force.ts"
import type { Https } from "../jobs/https/keep-https.ts"
import { mailService } from "../jobs/mail/mail-service.ts"
import { linkOrigins, mailOrigins } from "./addresses.ts"
import type { Deps } from "./deps.ts"

export interface WebJobs {
  readonly backups: BackupSchedule
  readonly startedAt: Moment
  readonly https: Https
}

/** The pages of the app and the guides, with everything they need. The addresses are known only after the server listens. */
export function wireWeb(
  parts: Deps,
  jobs: WebJobs,
  addresses: { readonly web: string; readonly agent: string },
): Handle {
  const { config, log } = parts
  const linkOrigin = linkOrigins(config, () => addresses.web)
  const addressesAt = (url: URL) => {
    const origin = linkOrigin(url)
    return { origin, agent: config.agentUrl === null ? `${origin}/` : addresses.agent }
  }
  const limits = { requestsPerMinute: config.limitIngest, bodyBytesMax: BODY_BYTES_MAX }
  // Its routes say what the page of the API tells.
  const describeApi = async (serverUrl: string) => (await openapiWithoutServer(limits, serverUrl)) as ApiDocument
  const pages = webDoor({
    ...parts,
    ...jobs,
    bucket: bucketService(parts),
    linkOrigin,
    mailOrigin: mailOrigins(config, () => addresses.web),
    agentAt: (url) => addressesAt(url).agent,
    lookOutside: parts.lookOutside ?? lookOutside,
    mail: mailService(parts),
    alertChannels: async () => openChannels(await withChoices(parts, config), parts.clock),
  })
  return baseApp(log).use(pages).use(guideRoutes(addressesAt, describeApi)).fetch
}
