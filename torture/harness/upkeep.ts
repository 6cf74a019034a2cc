import { Database } from "bun:sqlite"
import { join } from "node:path"

// Upkeep begins with the start. What the torture leaves to it is done within a second, on a busy machine within a few.
const DAYS_MS_MAX = 60_000
const LOOK_EVERY_MS = 50

/** Waits until upkeep has worked out the days that an upgrade has outdated, and says so if it does not. */
export async function outdatedDaysProblems(areOutdated: () => boolean | Promise<boolean>): Promise<string[]> {
  const giveUpAt = performance.now() + DAYS_MS_MAX
  for (; performance.now() < giveUpAt; await Bun.sleep(LOOK_EVERY_MS)) if (!(await areOutdated())) return []
  return [`days are still outdated ${DAYS_MS_MAX / 1_000} s after the start`]
}

/** Whether days of a data directory wait for its server to work them out. */
export const areOutdatedIn = (data: string) => (): boolean => {
  using database = new Database(join(data, "adbooth.db"), { readwrite: true })
  return database.query("SELECT 1 FROM outdated_days").get() !== null
}
