import type { Context } from "../actions/context.ts"
import { checkReadiness } from "../actions/operations/readiness.ts"
import { noteVersion } from "../actions/operations/serving.ts"
import { issueSetupLink } from "../actions/people/one-time-links.ts"
import { wayBack } from "../domain/operations/backup.ts"
import { readVersions, versionBefore } from "../domain/operations/versions-run.ts"
import { SETUP_LINK_MINUTES } from "../domain/people/user.ts"
import { messageOf } from "../domain/user-error.ts"
import type { Deps } from "./deps.ts"

export interface Start {
  readonly version: string
  /** The copy that was made before the database was upgraded; null when it was not. */
  readonly copy: string | null
  /** The data directory; null when the data is in PostgreSQL. */
  readonly data: string | null
}

/** Notes which version serves now. The first start of a version that is not ready says how to go back to the one before. */
export async function noteStart(parts: Deps, start: Start): Promise<void> {
  const { log, config, diskFreeBytes } = parts
  const { version, copy } = start
  const noted = await noteVersion(parts, version).catch((cause) => {
    log.warn("version not noted", { cause: String(cause) })
    return null
  })
  if (noted === null || !noted.isFirstStart || (noted.previous === null && copy === null)) return
  log.info("first start of this version", { version, previous: noted.previous, copy })
  const checks = await checkReadiness(parts, { ...config, diskFreeBytes })
  const failed = checks.filter(({ ok, vital }) => vital && !ok)
  const problems = failed.map(({ name, detail }) => `${name}: ${detail}`)
  if (problems.length > 0) sayWayBack(parts, start, noted.previous, problems.join("; "))
}

/** For a version that cannot even listen: if another one ran before, how to go back to it. */
export async function noteFailedStart(parts: Deps, start: Start, cause: unknown): Promise<void> {
  const runs = readVersions(await parts.store.settings.get("versions_run").catch(() => null))
  const previous = versionBefore(runs, start.version)
  const isFirstStart = start.copy !== null || (previous !== null && runs.at(-1)?.version !== start.version)
  if (isFirstStart) sayWayBack(parts, start, previous, messageOf(cause))
}

function sayWayBack({ log }: Deps, { data, copy }: Start, previous: string | null, problem: string): void {
  const steps = wayBack({ previous, data, copy }).map((step, i) => `${i + 1}. ${step}`)
  log.warn("this version is not ready", { problem, go_back: steps.join(" ") })
}

/**
 * The set-up link for the first operator; empty if there is an operator. It is written to a log, too: a person who can read that has the server,
 * and it works once, for minutes.
 */
export async function invitation(url: string, context: Context): Promise<string> {
  const link = await issueSetupLink(context)
  if (link === null) return ""
  return `\nOpen this link within ${SETUP_LINK_MINUTES} minutes to create the first operator:\n${url}${link}\n\n`
}
