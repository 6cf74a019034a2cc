interface FailedUpdate {
  /** The version that ran before; null when it is not known. */
  readonly previous: string | null
  /** The data directory; null when the data is in PostgreSQL. */
  readonly data: string | null
  /** The copy of the database that was made before it was upgraded; null when it was not upgraded. */
  readonly copy: string | null
}

/** What to do, step by step, to run the version before again. */
export function wayBack({ previous, data, copy }: FailedUpdate): string[] {
  const old = `the executable of ${previous ?? "the version that ran before"}`
  const start = `Put ${old} back and start it.`
  if (data === null) {
    return [
      "Stop every server.",
      `Put ${old} back.`,
      "If it refuses the database as newer, restore the backup made before the update: adbooth restore FILE --force",
      "Start it.",
    ]
  }
  if (copy === null) return ["Stop the server.", start]
  return [
    `See what would be lost: adbooth rollback --data ${data}`,
    "Stop the server.",
    `Go back to the copy made before the upgrade: adbooth rollback --yes --data ${data}`,
    start,
  ]
}

/** For an upgrade of the database that failed and was undone. */
export function notUpgraded(database: string, { from, to }: { from: number; to: number }, why: string): string {
  return (
    `The database ${database} was not upgraded from schema ${from} to ${to}. ${why} The database is as it was before: ` +
    "start the version that ran before, or fix this and start this version again."
  )
}
