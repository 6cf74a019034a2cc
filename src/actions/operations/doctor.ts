import { catalogueFormats } from "../../domain/adcp/catalogue/built-in/index.ts"
import { isValidFormat, isValidProduct, unsupportedIn } from "../../domain/adcp/catalogue/check.ts"
import { type Cidr, isEverybody, isLoopback } from "../../domain/callers/client-address.ts"
import { latestMeasurable } from "../../domain/delivery/current-total.ts"
import { mailAdvice } from "../../domain/operations/mail.ts"
import { formatMoment, MICROS_PER_SECOND } from "../../domain/time/moment.ts"
import { timeInUtc } from "../../domain/time/time-zone.ts"
import { messageOf } from "../../domain/user-error.ts"
import type { NamedLine } from "../../storage/steps/unexplained.ts"
import { alertStatus, alertStatusInWords } from "../alerts/alert-status.ts"
import type { Context } from "../context.ts"
import { checkReadiness, type Surroundings, tryWriting } from "./readiness.ts"
import { httpsNote, mailNote } from "./services.ts"

// Earlier than this program was written, so a clock that shows it must be wrong.
const EARLIEST_PLAUSIBLE = Date.UTC(2026, 0, 1) * 1_000
const CLOCK_SLACK = 60 * MICROS_PER_SECOND

const ADVICE: Readonly<Record<string, string>> = {
  database: "Check whether another program locks the file, and whether the disk is readable.",
  migrations: 'Start "adbooth serve" of this version once: it updates the database.',
  disk: "Free some space on the disk that holds the data directory.",
  backup: 'Find the cause in the server log and fix it. Until then, make one by hand: "adbooth backup create FILE".',
}

export async function runDoctor(context: Context, surroundings: Surroundings & SettingsInForce) {
  return [
    await checkIntegrity(context),
    await checkTotals(context),
    await checkDays(context),
    await checkAhead(context),
    await checkWriting(context),
    await checkClock(context),
    await checkCatalogue(context),
    ...(await quickChecks(context, surroundings)),
    ...(await checkMail(context)),
    // Settings that put keys, addresses or data at risk.
    await checkTls(context, surroundings),
    checkProxy(surroundings),
    ...checkDirectory(surroundings),
  ]
}

/** What takes no time, so that pages can ask, too. */
export async function quickChecks(context: Context, surroundings: Surroundings): Promise<DoctorFinding[]> {
  const [readiness, alerts, facts] = await Promise.all([
    checkReadiness(context, surroundings),
    checkAlertChannels(context),
    factsOf(context),
  ])
  const ready = readiness.map(({ name, ok, detail }) => finding(name, ok, detail, ADVICE[name] ?? ""))
  return [...ready, alerts, ...facts]
}

async function factsOf({ store }: Context): Promise<DoctorFinding[]> {
  const facts = await store.health.facts().catch(() => [])
  return [{ label: "engine", value: store.health.engine }, ...facts].map(({ label, value }) =>
    finding(label, true, value, ""),
  )
}

async function checkAlertChannels({ store }: Context): Promise<DoctorFinding> {
  const { ok, detail } = alertStatusInWords(await alertStatus(store))
  return finding("alerts", ok, detail, "Correct the address or the login, then send a test alert: System, Alerts.")
}

/** How the last message went; nothing before the first. */
async function checkMail({ store }: Context): Promise<DoctorFinding[]> {
  const note = await mailNote(store)
  if (note === null) return []
  const { problem, sentAt } = note
  const last = sentAt === null ? "none was sent yet" : `the last message was sent on ${timeInUtc(sentAt)}`
  const detail = problem === null ? last : `${problem} So far: ${last}.`
  return [finding("mail", problem === null, detail, mailAdvice(problem ?? ""))]
}

async function checkWriting(context: Context): Promise<DoctorFinding> {
  const problem = await tryWriting(context).then(() => null, messageOf)
  const advice = "Check whether the disk is full or read-only, and who owns the data directory."
  return finding("writing", problem === null, problem ?? "works", advice)
}

async function checkTotals({ store }: Context): Promise<DoctorFinding> {
  const { count, first } = await store.health.unexplainedTotals()
  const lines = `${count === 1 ? "the total of one line does" : `the totals of ${count} lines do`} not agree with the reports`
  const detail = count === 0 ? "every total matches its history" : `${lines}: ${namesOf(count, first.map(lineInWords))}`
  const advice = `${WITHOUT_REPORTS} Otherwise report the totals of these lines once more.`
  return finding("totals", count === 0, detail, advice)
}

async function checkDays({ store }: Context): Promise<DoctorFinding> {
  const { count, first } = await store.health.unexplainedDays()
  const days = `${count} ${count === 1 ? "day of a line does" : "days of lines do"} not agree with the reports`
  const names = first.map((odd) => `${odd.day} of ${lineInWords(odd)}`)
  const detail = count === 0 ? "every day of a line matches its history" : `${days}: ${namesOf(count, names)}`
  const advice = `${WITHOUT_REPORTS} Otherwise save another time zone in the settings of the seller, and then the right one again: the server works out all of its days from the reports.`
  return finding("days", count === 0, detail, advice)
}

const WITHOUT_REPORTS =
  'If reports are missing in the history of these lines, restore the newest backup: "adbooth backup restore".'

const lineInWords = ({ name, packageId, seller }: NamedLine) => `"${name}" of ${seller} (${packageId})`

const namesOf = (count: number, names: readonly string[]) =>
  `${names.join("; ")}${count > names.length ? `; and ${count - names.length} more` : ""}`

/** A clock that was ahead leaves totals that no other replaces until it is there again. */
async function checkAhead({ store, clock }: Context): Promise<DoctorFinding> {
  const check = "measured ahead"
  const [first, ...others] = await store.deliveryHistory.ahead(latestMeasurable(clock()))
  if (first === undefined) return finding(check, true, "no current total is of the future", "")
  const more = others.length === 0 ? "" : `, and those of ${others.length} other lines`
  const detail = `the current total of "${first.name}" says ${formatMoment(first.asOf)}${more}: until then no other counts`
  return finding(check, false, detail, "Withdraw it in the app: Today says where.")
}

async function checkIntegrity({ store }: Context): Promise<DoctorFinding> {
  const problems = await store.health.integrity()
  const detail = problems.slice(0, 5).join("; ") || "the database is intact"
  const advice = 'Stop the server, keep a copy of the data directory, then "adbooth backup restore" the newest backup.'
  return finding("integrity", problems.length === 0, detail, advice)
}

const NAMED_MAX = 10

/**
 * What somebody broke by hand is not shown to buyers. What an earlier version stored and this one does not know is shown as it is, but
 * cannot be changed.
 */
async function checkCatalogue({ store }: Context): Promise<DoctorFinding> {
  const { products, formats } = await store.catalogue.contents()
  const own = new Map([...catalogueFormats(formats)].filter(([, format]) => isValidFormat(format)))
  const stored = [
    ...[...products].map(([id, body]) => ({ noun: "product" as const, id, body, ok: isValidProduct(body, own) })),
    // Null is one that is hidden.
    ...[...formats].map(([id, body]) => ({ noun: "format" as const, id, body, ok: body === null || own.has(id) })),
  ]
  const broken = stored.filter(({ ok }) => !ok).map(({ noun, id }) => `the ${noun} "${id}"`)
  if (broken.length > 0) {
    const detail = `not valid, so that buyers do not see them: ${firstOf(broken)}`
    return finding("catalogue", false, detail, "Import them again, or delete them in the app.")
  }
  const unknown = stored.flatMap(({ noun, id, body }) => {
    const names = unsupportedIn(noun, body)
    return names.length === 0 ? [] : `the ${noun} "${id}" has ${names.join(", ")}`
  })
  if (unknown.length === 0)
    return finding("catalogue", true, "products and formats have only fields of this version", "")
  return finding("catalogue", true, `not supported by this version, and shown as stored: ${firstOf(unknown)}`, "")
}

const firstOf = (names: readonly string[]) => namesOf(names.length, names.slice(0, NAMED_MAX))

async function checkClock({ store, clock }: Context): Promise<DoctorFinding> {
  const now = clock()
  const latest = await store.health.latestTimestamp()
  if (now < EARLIEST_PLAUSIBLE) {
    return finding("clock", false, `it says ${formatMoment(now)}`, "Set the machine's clock, preferably with NTP.")
  }
  if (latest !== null && latest > now + CLOCK_SLACK) {
    const detail = `it says ${formatMoment(now)}, but something was received at ${formatMoment(latest)}`
    const advice =
      "Set the machine's clock, preferably with NTP. If it is correct now, it was ahead before: check the lines reported then."
    return finding("clock", false, detail, advice)
  }
  return finding("clock", true, formatMoment(now), "")
}

/** Settings that can be unsafe although each is valid. */
export interface SettingsInForce {
  readonly host: string
  readonly publicUrl: string | null
  readonly trustProxy: readonly Cidr[]
  /** Where the server does HTTPS by itself. */
  readonly domain: readonly string[]
  readonly tlsCert: string | null
  /** Permission bits of the data directory; null on Windows, and where it holds no database. */
  readonly dataMode: number | null
}

const OTHERS = 0o007

async function checkTls({ store }: Context, settings: SettingsInForce): Promise<DoctorFinding> {
  const { host, publicUrl } = settings
  const isReachable = !isLoopback(host)
  const isWaiting = doesHttps(settings) && ((await httpsNote(store))?.validUntil ?? null) === null
  const isEncrypted = publicUrl?.startsWith("https:") === true && !isWaiting
  const until = isWaiting ? ", until there is a certificate" : ""
  const detail = isEncrypted
    ? `callers use ${publicUrl}`
    : isReachable
      ? `${host} is reachable from other machines, apparently without TLS${until}`
      : `only this machine can connect${until}`
  const advice =
    "Keys and passwords would be sent in clear text. Let Adbooth do HTTPS (--domain ads.example.com), or put a proxy with TLS in front (deploy/Caddyfile), listen on --host 127.0.0.1, and set --public-url https://..."
  return finding("tls", isEncrypted || !isReachable, detail, advice)
}

const doesHttps = ({ domain, tlsCert }: SettingsInForce): boolean => domain.length > 0 || tlsCert !== null

function checkProxy(settings: SettingsInForce): DoctorFinding {
  const { publicUrl, trustProxy } = settings
  if (trustProxy.some(isEverybody)) {
    const detail = "X-Forwarded-For is trusted from everywhere, so anyone can claim any address"
    return finding("proxy", false, detail, "Name only your own proxy: --trust-proxy 127.0.0.1.")
  }
  const isMissing = publicUrl?.startsWith("https:") === true && trustProxy.length === 0 && !doesHttps(settings)
  const detail = isMissing
    ? "TLS ends in a proxy that is not trusted, so all callers without a key share one address and its limit"
    : trustProxy.length > 0
      ? "named"
      : "none"
  return finding("proxy", !isMissing, detail, "Name it: --trust-proxy 127.0.0.1 if it runs on this machine.")
}

function checkDirectory({ dataMode }: SettingsInForce): DoctorFinding[] {
  if (dataMode === null) return []
  const isReadable = (dataMode & OTHERS) !== 0
  const detail = `${isReadable ? "every" : "no other"} user of this machine can read it`
  return [finding("data directory", !isReadable, detail, "Restrict it: chmod 700 on the data directory.")]
}

export type DoctorFinding = Readonly<{ check: string; ok: boolean; detail: string; advice?: string }>

/** A finding; advice is included only for a problem. */
export const finding = (check: string, ok: boolean, detail: string, advice: string): DoctorFinding =>
  ok ? { check, ok, detail } : { check, ok, detail, advice }
