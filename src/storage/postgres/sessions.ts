import type { ReadTx } from "../database.ts"

const MOVER = "adbooth-move"

/** The same URL, with a name for our own sessions that no server has. */
export function asMover(url: string): string {
  const [place = "", query = ""] = url.split("?")
  const options = new URLSearchParams(query)
  options.set("application_name", MOVER)
  return `${place}?${options}`
}

/** How many sessions other processes have on this database, as this user. */
export async function otherSessions(read: ReadTx): Promise<number> {
  const [row] = await read.rows(OTHERS, [MOVER], { sessions: Number })
  return row?.sessions ?? 0
}

const OTHERS = `SELECT count(*) AS sessions FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name <> $1`
