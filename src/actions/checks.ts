import { stat } from "node:fs/promises"
import { BlockList, isIP } from "node:net"
import { withOperatorFormats } from "../domain/adcp/catalogue/built-in.ts"
import { isValidProduct } from "../domain/adcp/catalogue/check.ts"
import { messageOf } from "../domain/errors.ts"
import { isBackupOverdue } from "../domain/operations/backup.ts"
import { mailAdvice } from "../domain/operations/mail.ts"
import { formatMoment, MICROS_PER_SECOND, momentInWords } from "../domain/time/moment.ts"
import { wrongTotals } from "../storage/database.ts"
import { latestMoment } from "../storage/operations/settings.ts"
import { alertChannels } from "./alerts/send-alerts.ts"
import { catalogueIn } from "./catalogue/formats.ts"
import type { Context } from "./context.ts"
import { bucketInForce, httpsInForce, saveNote, scheduleInForce, storedSetting } from "./settings.ts"

/**
 * "ready" checks also run in the probe `/readyz`, "system" checks on the System page. `adbooth doctor` runs all, slow
 * ones included.
 */
export type CheckLevel = "ready" | "system" | "doctor"

interface Check {
  readonly name: string
  readonly when: CheckLevel
  /** Null if there is nothing to check. */
  readonly run: (context: Context) => Promise<Outcome | null>
}

/** Every check. The probe, the System page and the doctor run the same ones, so they never disagree. */
const CHECKS: readonly Check[] = [
  { name: "database", when: "ready", run: checkDatabase },
  { name: "migrations", when: "ready", run: checkMigrations },
  { name: "disk", when: "ready", run: checkDisk },
  { name: "backup", when: "system", run: checkBackup },
  { name: "copies", when: "system", run: checkCopies },
  { name: "https", when: "system", run: checkHttps },
  { name: "mail", when: "system", run: checkMail },
  { name: "alerts", when: "system", run: checkAlertChannels },
  { name: "encryption", when: "system", run: checkEncryption },
  { name: "proxy", when: "system", run: checkProxy },
  { name: "integrity", when: "doctor", run: checkIntegrity },
  { name: "totals", when: "doctor", run: checkTotals },
  { name: "catalog", when: "doctor", run: checkCatalogue },
  { name: "write test", when: "doctor", run: checkWriting },
  { name: "clock", when: "doctor", run: checkClock },
  { name: "permissions", when: "doctor", run: checkPermissions },
  { name: "bucket", when: "doctor", run: checkBucket },
]

const LEVELS: readonly CheckLevel[] = ["ready", "system", "doctor"]

/**
 * Runs the checks of a level and of the levels below it, side by side. If a check itself fails, that is a finding as
 * well.
 */
export async function runChecks(context: Context, level: CheckLevel): Promise<readonly Finding[]> {
  const checks = CHECKS.filter(({ when }) => LEVELS.indexOf(when) <= LEVELS.indexOf(level))
  const findings = await Promise.all(checks.map((check) => runCheck(context, check)))
  return findings.filter((finding) => finding !== null)
}

async function runCheck(context: Context, { name, run }: Check): Promise<Finding | null> {
  try {
    const outcome = await run(context)
    return outcome && { check: name, ...outcome }
  } catch (cause) {
    return { check: name, ...failed(`It can't be checked: ${messageOf(cause)}`, "Look at the server log.") }
  }
}

async function checkDatabase({ database }: Context): Promise<Outcome> {
  const problem = await database.health.problem().catch(messageOf)
  if (problem === null) return passed(`${database.health.engine} answers.`)
  return failed(problem, "Check whether the disk is readable, and whether another program locks the database.")
}

async function checkMigrations({ database }: Context): Promise<Outcome> {
  const { applied, known } = await database.health.schema()
  if (applied === known) return passed(`The tables match this version (${known}).`)
  const detail = `The database has seen ${applied} migrations, and this version has ${known}.`
  return failed(detail, 'Start "adbooth serve" of the newest version once. It upgrades the database.')
}

// With less, the next burst of reports may not fit. SQLite also needs space for its log.
const DISK_BYTES_MIN = 50 * 1_048_576

async function checkDisk({ database }: Context): Promise<Outcome | null> {
  const free = await database.health.freeBytes()
  if (free === null) return null
  const detail = `${megabytes(free)} MB are free on the disk with the data.`
  return free >= DISK_BYTES_MIN ? passed(detail) : failed(detail, "Free some space on this disk.")
}

const megabytes = (bytes: number): string => Math.floor(bytes / 1_000_000).toLocaleString("en")

async function checkBackup(context: Context): Promise<Outcome> {
  const last = await storedSetting(context.database.read, "note.backup")
  const { every } = await scheduleInForce(context)
  if (last === null) return passed(every.value === null ? "No backups are scheduled." : "The first backup is due soon.")
  const when = momentInWords(last.at)
  if (last.problem !== null) {
    const advice = 'Fix the cause. Until then, make backups by hand: "adbooth backup create FILE".'
    return failed(`The backup of ${when} failed: ${last.problem}`, advice)
  }
  const isLate = every.value !== null && isBackupOverdue(last, context.clock(), every.value)
  const detail = `The last backup is from ${when}.`
  return isLate ? failed(`${detail} The next one is late.`, "Look at the server log.") : passed(detail)
}

async function checkCopies(context: Context): Promise<Outcome | null> {
  if ((await bucketInForce(context)).value === null) return null
  const note = await storedSetting(context.database.read, "note.bucket")
  if (note === null || note.copiedAt === null) {
    if (note?.problem) return failed(note.problem, note.advice)
    return passed("No backup was copied to the bucket yet.")
  }
  const last = `${note.copies} copies are in the bucket, the last from ${momentInWords(note.copiedAt)}.`
  return note.problem === null ? passed(last) : failed(`${note.problem} ${last}`, note.advice)
}

async function checkHttps(context: Context): Promise<Outcome | null> {
  const { domains } = await httpsInForce(context)
  if (domains.value.length === 0 && context.config.tlsCert === null) return null
  const note = await storedSetting(context.database.read, "note.https")
  if (note === null) return passed("The server hasn't tried to get a certificate yet.")
  const { problem, advice, validUntil, nextTryAt } = note
  const certificate = validUntil === null ? "no certificate yet" : `a certificate until ${momentInWords(validUntil)}`
  if (problem === null) return passed(`There is ${certificate}.`)
  const next = nextTryAt === null ? "" : ` The next attempt is at ${momentInWords(nextTryAt)}.`
  return failed(`${problem} There is ${certificate}.${next}`, advice)
}

async function checkMail({ database }: Context): Promise<Outcome | null> {
  const note = await storedSetting(database.read, "note.mail")
  if (note === null) return null
  const last = note.sentAt === null ? "No mail was sent yet." : `Mail was last sent on ${momentInWords(note.sentAt)}.`
  return note.problem === null ? passed(last) : failed(`${note.problem} ${last}`, mailAdvice(note.problem))
}

async function checkAlertChannels(context: Context): Promise<Outcome> {
  const channels = await alertChannels(context)
  if (channels.length === 0) return passed("Alerts are off.")
  const failing = channels.find(({ problem }) => problem !== null)
  if (failing !== undefined) {
    const detail = `The last alert by ${failing.channel} to ${failing.target} didn't arrive: ${failing.problem}`
    return failed(detail, "Correct the address or the password, then send a test alert (System, Alerts).")
  }
  return passed(`Alerts go to ${channels.map(({ target }) => target).join(" and ")}.`)
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4")
LOOPBACK.addAddress("::1", "ipv6")

const isLoopback = (host: string): boolean =>
  host === "localhost" || (isIP(host) !== 0 && LOOPBACK.check(host, isIP(host) === 4 ? "ipv4" : "ipv6"))

async function checkEncryption(context: Context): Promise<Outcome> {
  const { host, publicUrl } = context.config
  const isServed = context.services.https.certificate() !== null || (await hasCertificateNote(context))
  if (publicUrl?.startsWith("https:") || isServed) return passed("Callers use HTTPS.")
  if (isLoopback(host)) return passed("Only this machine can connect.")
  return failed(
    `Other machines can connect to ${host} without encryption, so keys and passwords can be read on the way.`,
    "Use --domain to serve HTTPS, or put a proxy in front, listen on --host 127.0.0.1 and set --public-url https://….",
  )
}

/** Commands have no certificate, so they look at what the server noted. */
async function hasCertificateNote(context: Context): Promise<boolean> {
  const { domains } = await httpsInForce(context)
  const hasHttps = domains.value.length > 0 || context.config.tlsCert !== null
  const note = await storedSetting(context.database.read, "note.https")
  return hasHttps && note !== null && note.validUntil !== null
}

async function checkProxy(context: Context): Promise<Outcome> {
  const { trustProxy, publicUrl } = context.config
  if (trustProxy.some((network) => network.endsWith("/0"))) {
    const detail = "X-Forwarded-For is trusted from any address, so any caller can claim any address."
    return failed(detail, "Name only your own proxy: --trust-proxy 127.0.0.1.")
  }
  if (trustProxy.length > 0) return passed(`X-Forwarded-For is trusted from ${trustProxy.join(", ")}.`)
  const isBehindProxy = publicUrl?.startsWith("https:") === true && context.services.https.certificate() === null
  if (!isBehindProxy || (await hasCertificateNote(context))) return passed("No proxy is in front of this server.")
  return failed(
    "A proxy in front does HTTPS, but it isn't named, so all callers without a key share one address and its limits.",
    "Name the proxy: --trust-proxy 127.0.0.1 if it runs on this machine.",
  )
}

async function checkIntegrity({ database }: Context): Promise<Outcome> {
  const problems = await database.health.integrity()
  if (problems.length === 0) return passed("The stored data is intact.")
  const advice = 'Stop the server, keep a copy of the data directory, then restore a backup: "adbooth backup restore".'
  return failed(problems.slice(0, 5).join("; "), advice)
}

async function checkTotals({ database }: Context): Promise<Outcome> {
  const count = await wrongTotals(database.read)
  if (count === 0) return passed("Every total matches its history.")
  return failed(`${count} totals don't match their history.`, "Report these lines once more, or restore a backup.")
}

/** An invalid product can only come from editing the database by hand. Buyers don't see it. */
async function checkCatalogue({ database }: Context): Promise<Outcome> {
  const { products, formats } = await catalogueIn(database.read)
  const own = withOperatorFormats(formats)
  const invalid = [...products].filter(([, product]) => !isValidProduct(product, own)).map(([id]) => id)
  if (invalid.length === 0) return passed("Every product is valid.")
  const detail = `These products aren't valid, so buyers don't see them: ${invalid.slice(0, 5).join(", ")}.`
  return failed(detail, "Import them again, or delete them in the app.")
}

async function checkWriting(context: Context): Promise<Outcome> {
  try {
    await saveNote(context, "note.write", context.clock())
    return passed("A write test passed.")
  } catch (cause) {
    const advice = "Check whether the disk is full or read-only, and who owns the data directory."
    return failed(`A write test failed: ${messageOf(cause)}`, advice)
  }
}

// The program was written after this date, so a clock that shows an earlier one must be wrong.
const EARLIEST = Date.UTC(2026, 0, 1) * 1_000
const CLOCK_SLACK = 60 * MICROS_PER_SECOND

async function checkClock({ database, clock }: Context): Promise<Outcome> {
  const now = clock()
  const advice = "Set the clock of this machine, preferably with NTP."
  if (now < EARLIEST) return failed(`The clock says ${formatMoment(now)}.`, advice)
  const latest = await latestMoment(database.read)
  if (latest === null || latest <= now + CLOCK_SLACK) return passed(`The clock says ${formatMoment(now)}.`)
  const detail = `The clock says ${formatMoment(now)}, but something was stored at ${formatMoment(latest)}.`
  return failed(detail, `${advice} If it's right now, it was ahead before: check the lines that were reported then.`)
}

const READABLE_BY_OTHERS = 0o007

async function checkPermissions({ config }: Context): Promise<Outcome | null> {
  // Windows has no permission bits.
  if (config.databaseUrl !== null || process.platform === "win32") return null
  const { mode } = await stat(config.data)
  if ((mode & READABLE_BY_OTHERS) === 0) return passed("Only its owner can read the data directory.")
  return failed("Every user of this machine can read the data directory.", `Restrict it: chmod 700 ${config.data}`)
}

async function checkBucket(context: Context): Promise<Outcome | null> {
  const { value: bucket } = await bucketInForce(context)
  if (bucket === null) return null
  const problem = await context.services.bucket(bucket).test()
  return problem === null ? passed("The bucket works.") : failed(problem.problem, problem.advice)
}

/** What a check found. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
  /** The fact, in one sentence. */
  readonly detail: string
  /** What to do, in one sentence. Empty if there is nothing to do. */
  readonly advice: string
}

/** The outcome of a check. Advice only matters if something is wrong. */
export type Outcome = Omit<Finding, "check">

export const passed = (detail: string): Outcome => ({ ok: true, detail, advice: "" })
export const failed = (detail: string, advice: string): Outcome => ({ ok: false, detail, advice })
