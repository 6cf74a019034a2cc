import { changesSince, readVersions, versionBefore, withVersion } from "../../domain/operations/versions-run.ts"
import { formatMoment, parseTimestamp } from "../../domain/time/moment.ts"
import { timeInUtc } from "../../domain/time/time-zone.ts"
import type { LeaseName, StoreReads } from "../../storage/port/store.ts"
import { settingOf } from "../../storage/steps/operations.ts"
import type { NotedChannels } from "../alerts/alert-status.ts"
import { type Context, transact, writesOf } from "../context.ts"
import { setJson, setSetting } from "../settings.ts"

export interface Serving {
  readonly address: string
  /** Where it listens without HTTPS. */
  readonly localAddress: string
  readonly agentAddress: string
  readonly servedWith: object
  readonly alertChannels: NotedChannels
}

/** Stores where and how the server runs, for links and checks of other commands. */
export function noteServing(context: Context, serving: Serving): Promise<void> {
  return transact(context, function* (tx) {
    yield* setSetting(tx, "address", serving.address)
    yield* setSetting(tx, "local_address", serving.localAddress)
    yield* setSetting(tx, "agent_address", serving.agentAddress)
    yield* setJson(tx, "served_with", serving.servedWith)
    yield* setJson(tx, "alert_channels", serving.alertChannels)
  })
}

/** The last that a server does before the process that takes over may open the database. */
export const noteHandOver = (context: Context, machine: string): Promise<void> =>
  transact(context, (tx) => setSetting(tx, "handed_over", `${formatMoment(context.clock())} ${machine}`))

/** Since when this machine had no server because the one that took over never served; null unless that happened. */
export function endHandOver(context: Context, machine: string): Promise<string | null> {
  return transact(context, function* (tx) {
    const [at, where] = ((yield* settingOf(tx, "handed_over")) ?? "").split(" ")
    if (at === undefined || where !== machine) return null
    yield* setSetting(tx, "handed_over", "")
    return at
  })
}

/** Stores which version serves now. Whether another one ran last, or none, and which; null when none did. */
export function noteVersion(context: Context, version: string) {
  return transact(context, function* (tx) {
    const before = readVersions(yield* settingOf(tx, "versions_run"))
    const now = withVersion(before, version, formatMoment(context.clock()))
    const isFirstStart = now !== before
    if (isFirstStart) yield* setJson(tx, "versions_run", now)
    return { isFirstStart, previous: versionBefore(now, version) }
  })
}

export type VersionReport = Awaited<ReturnType<typeof describeVersion>>

/** In a sentence, which version this is; which one served from this database before, or null; what changed since, newest first. */
export async function describeVersion({ settings }: StoreReads, version: string, changelog: string) {
  const runs = readVersions(await settings.get("versions_run"))
  const previous = versionBefore(runs, version)
  const last = runs.at(-1)
  const changes = previous === null ? [] : changesSince(changelog, previous, version)
  const before = previous === null ? "no other version before" : `${previous} before`
  if (last === undefined) return { detail: `${version}; no server has run on this data yet`, previous, changes }
  if (last.version !== version) {
    return { detail: `this program is ${version}; the last server on this data was ${last.version}`, previous, changes }
  }
  return { detail: `${version} since ${timeInUtc(parseTimestamp(last.since) ?? 0)}, ${before}`, previous, changes }
}

/** Whether this server may run a scheduled job now. It takes the lease, or keeps it for longer, so that no other one runs it too. */
export const takeLease = (context: Pick<Context, "store">, name: LeaseName, seconds: number): Promise<boolean> =>
  writesOf(context).leases.take(name, seconds)
