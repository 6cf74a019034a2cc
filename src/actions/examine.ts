import { formatMoment } from "../domain/moment.ts"
import { checkReadiness } from "./check-readiness.ts"
import type { Context } from "./context.ts"

export interface Finding {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  /** What to do about it. */
  readonly advice?: string
}

// No clock of a working machine shows an earlier time than the one this program was written at.
const EARLIEST_PLAUSIBLE = Date.UTC(2026, 0, 1) * 1_000

const ADVICE: Readonly<Record<string, string>> = {
  database: "See whether another program holds the file, and whether the disk is readable.",
  migrations: 'Start "adbooth serve" of this version once: it brings the database up to date.',
  disk: "Free some space on the disk that holds the data directory.",
}

/** Looks at everything that can be wrong with an installation. */
export async function examine(context: Context, diskFreeBytes: () => Promise<number>): Promise<Finding[]> {
  const readiness = await checkReadiness(context.store, diskFreeBytes)
  return [
    await examineIntegrity(context),
    ...readiness.map(({ name, ok, detail }) => ({
      check: name,
      ok,
      detail,
      ...(!ok && { advice: ADVICE[name] ?? "" }),
    })),
    examineClock(context),
  ]
}

async function examineIntegrity({ store }: Context): Promise<Finding> {
  const problems = await store.health.integrity()
  if (problems.length === 0) return { check: "integrity", ok: true, detail: "the database file is sound" }
  const advice = 'Stop the server, keep a copy of the data directory, then "adbooth restore" the newest backup.'
  return { check: "integrity", ok: false, detail: problems.slice(0, 5).join("; "), advice }
}

function examineClock({ clock }: Context): Finding {
  const now = clock()
  if (now >= EARLIEST_PLAUSIBLE) return { check: "clock", ok: true, detail: formatMoment(now) }
  return {
    check: "clock",
    ok: false,
    detail: `it says ${formatMoment(now)}`,
    advice: "Set the machine's clock, best with NTP.",
  }
}
