import { type DoctorFinding, finding } from "../../domain/operations/doctor-finding.ts"
import { formatMoment, MICROS_PER_SECOND } from "../../domain/time/moment.ts"
import { type Context, writesOf } from "../context.ts"
import { checkReadiness, type Surroundings } from "./check-readiness.ts"
import { doctorSettings, type SettingsInForce } from "./doctor-settings.ts"

// No clock of a working machine shows an earlier time than the one this program was written at.
const EARLIEST_PLAUSIBLE = Date.UTC(2026, 0, 1) * 1_000
const CLOCK_SLACK = 60 * MICROS_PER_SECOND

const ADVICE: Readonly<Record<string, string>> = {
  database: "See whether another program holds the file, and whether the disk is readable.",
  migrations: 'Start "adbooth serve" of this version once: it brings the database up to date.',
  disk: "Free some space on the disk that holds the data directory.",
  backup: 'See the server log for the cause, mend it, and make one by hand meanwhile: "adbooth backup FILE".',
}

/** Looks at everything that can be wrong with an installation. */
export async function runDoctor(
  context: Context,
  surroundings: Surroundings & SettingsInForce,
): Promise<DoctorFinding[]> {
  const readiness = await checkReadiness(context, surroundings)
  return [
    await examineIntegrity(context),
    await examineTotals(context),
    await examineWriting(context),
    ...readiness.map(({ name, ok, detail }) => finding(name, ok, detail, ADVICE[name] ?? "")),
    await examineClock(context),
    ...(await factsOf(context)),
    ...doctorSettings(surroundings),
  ]
}

async function factsOf({ store }: Context): Promise<DoctorFinding[]> {
  const facts = await store.health.facts().catch(() => [])
  return [{ label: "engine", value: store.health.engine }, ...facts].map(({ label, value }) =>
    finding(label, true, value, ""),
  )
}

async function examineWriting(context: Context): Promise<DoctorFinding> {
  const advice = "See whether the disk is full or mounted read-only, and who owns the data directory."
  return writesOf(context)
    .health.tryWriting()
    .then(
      () => finding("writing", true, "works", advice),
      (cause: Error) => finding("writing", false, cause.message, advice),
    )
}

async function examineTotals({ store }: Context): Promise<DoctorFinding> {
  const odd = await store.health.unexplainedTotals()
  const advice =
    "Keep a copy of the data directory and report this: it must never happen. The history of each line is right."
  return finding(
    "totals",
    odd === 0,
    odd === 0 ? "every total agrees with its history" : `${odd} differ from their history`,
    advice,
  )
}

async function examineIntegrity({ store }: Context): Promise<DoctorFinding> {
  const problems = await store.health.integrity()
  const isSound = problems.length === 0
  const advice = 'Stop the server, keep a copy of the data directory, then "adbooth restore" the newest backup.'
  return finding("integrity", isSound, isSound ? "the database is sound" : problems.slice(0, 5).join("; "), advice)
}

async function examineClock({ store, clock }: Context): Promise<DoctorFinding> {
  const now = clock()
  const latest = await store.health.latestTimestamp()
  if (now < EARLIEST_PLAUSIBLE) {
    return finding("clock", false, `it says ${formatMoment(now)}`, "Set the machine's clock, best with NTP.")
  }
  if (latest !== null && latest > now + CLOCK_SLACK) {
    const detail = `it says ${formatMoment(now)}, but something was received at ${formatMoment(latest)}`
    const advice =
      "Set the machine's clock, best with NTP. If it is right now, it was ahead before: check the lines reported then."
    return finding("clock", false, detail, advice)
  }
  return finding("clock", true, formatMoment(now), "")
}
