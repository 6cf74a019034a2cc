import type { Store } from "../storage/store.ts"

// Below this the next burst of reports may not fit; SQLite needs room for its log as well.
export const DISK_FREE_BYTES_MIN = 50 * 1024 * 1024

export type Readiness = readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]

/** Whether the server can do its work: the database answers, its schema is ours, and there is room to write. */
export async function checkReadiness(store: Store, diskFreeBytes: () => Promise<number>): Promise<Readiness> {
  return [await checkDatabase(store), await checkSchema(store), await checkDisk(diskFreeBytes)]
}

async function checkDatabase({ health }: Store): Promise<Readiness[number]> {
  const name = "database"
  return health.ping().then(
    () => ({ name, ok: true, detail: "answers" }),
    () => ({ name, ok: false, detail: "does not answer" }),
  )
}

async function checkSchema({ health }: Store): Promise<Readiness[number]> {
  const name = "migrations"
  const schema = await health.schema().catch(() => null)
  if (schema === null) return { name, ok: false, detail: "cannot be read" }
  const ok = schema.version === schema.expected
  return { name, ok, detail: ok ? `done (${schema.version})` : `schema ${schema.version}, expected ${schema.expected}` }
}

async function checkDisk(diskFreeBytes: () => Promise<number>): Promise<Readiness[number]> {
  const name = "disk"
  const free = await diskFreeBytes().catch(() => null)
  if (free === null) return { name, ok: false, detail: "cannot be read" }
  return { name, ok: free >= DISK_FREE_BYTES_MIN, detail: `${Math.floor(free / 1024 / 1024)} MiB free` }
}
