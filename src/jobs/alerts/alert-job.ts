import { diskFreeMbMin, withChoices } from "../../actions/alerts/alert-choice.ts"
import { checkAlerts } from "../../actions/alerts/check-alerts.ts"
import type { AlertSurroundings } from "../../actions/alerts/find-causes.ts"
import { type AlertChannel, sendAlerts } from "../../actions/alerts/send-alerts.ts"
import { takeLease } from "../../actions/operations/serving.ts"
import type { Certificate } from "../../domain/alerts/alert.ts"
import { MICROS_PER_SECOND, type Moment } from "../../domain/time/moment.ts"
import type { JobContext } from "../job-context.ts"
import { singleRun } from "../single-run.ts"
import { openChannels } from "./channels.ts"
import { certificateAt } from "./network.ts"

const TICK_MS = 10_000
// A few ticks may be late or fail before another server takes over.
const LEASE_SECONDS = 60
const CHECK_EVERY = 300 * MICROS_PER_SECOND
const CERTIFICATE_EVERY = 6 * 3_600 * MICROS_PER_SECOND
const MEBIBYTE = 1_048_576
const PAUSE_MS = 5

export type OpenedChannels = Readonly<{ channels: readonly AlertChannel[]; openedFor: string }>

/**
 * Looks for alerts every five minutes and sends them, on one server at a time. `origin` is where links lead; channels that could not be
 * opened yet are at the next look.
 */
export function alertJob(parts: JobContext, origin: string, opened: OpenedChannels | null): AsyncDisposable {
  const { config, log, clock } = parts
  const stopping = new AbortController()
  const surroundings = surroundingsOf(parts)
  let checkedAt = Number.NEGATIVE_INFINITY
  let { channels, openedFor } = opened ?? { channels: [], openedFor: "" }

  /** Somebody may choose something else in the app at any time. Else the files of the settings need not be there any more. */
  async function reopen(): Promise<void> {
    const settings = await withChoices(parts, config)
    const chosen = JSON.stringify(settings)
    if (chosen !== openedFor) channels = await openChannels(settings, clock)
    openedFor = chosen
  }

  async function work(): Promise<void> {
    if (Math.abs(clock() - checkedAt) >= CHECK_EVERY) {
      checkedAt = clock()
      const names = channels.map(({ name }) => name)
      const diskFreeBytesMin = (await diskFreeMbMin(parts.store)) * MEBIBYTE
      await checkAlerts(parts, { ...surroundings, diskFreeBytesMin }, names)
    }
    const sent = await sendAlerts(parts, channels, { origin, stopped: stopping.signal })
    for (const { channel, attempts, problem, isSent, isGivenUp } of sent) {
      const fields = { channel: channel.name, attempts, ...(problem !== null && { problem }) }
      if (isSent) log.info("alert sent", fields)
      else log.warn(isGivenUp ? "alert given up" : "alert not sent", fields)
    }
  }

  const failed = (cause: unknown) => {
    if (!stopping.signal.aborted) log.error("alerts not checked", cause)
  }
  const working = singleRun(work, failed)

  async function tick(): Promise<void> {
    await reopen()
    // A server without a mail server or webhook leaves the lease to the others.
    if (channels.length === 0) return
    // Renewed at every tick, so that it does not expire while a slow receiver is waited for.
    const isOurs = await takeLease(parts, "alerts", LEASE_SECONDS)
    if (isOurs && !stopping.signal.aborted) await working.start()
  }

  const timer = setInterval(() => tick().catch(failed), TICK_MS)
  void tick().catch(failed)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      stopping.abort()
      await working.running()
    },
  }
}

function surroundingsOf({ config, clock, diskFreeBytes }: JobContext): Omit<AlertSurroundings, "diskFreeBytesMin"> {
  let seen: { readonly at: Moment; readonly certificate: Certificate | null } | null = null
  return {
    diskFreeBytes,
    backupEvery: config.backupEvery,
    async certificate() {
      if (config.publicUrl === null) return null
      if (seen === null || clock() - seen.at >= CERTIFICATE_EVERY)
        seen = { at: clock(), certificate: await certificateAt(config.publicUrl) }
      return seen.certificate
    },
    pause: () => Bun.sleep(PAUSE_MS),
  }
}
