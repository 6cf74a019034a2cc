import { asc, eq, like } from "drizzle-orm"
import type { ReadTx, Tx } from "../database.ts"

export interface Setting {
  readonly name: string
  readonly value: string
}

/** The value of a setting. Null if it isn't set. */
export async function settingOf(read: ReadTx, name: string): Promise<string | null> {
  const { setting } = read
  const [row] = await read.db.select({ value: setting.value }).from(setting).where(eq(setting.name, name))
  return row?.value ?? null
}

/** The settings whose names begin with this, by name. The prefix may not contain a percent sign or an underscore. */
export async function settingsLike(read: ReadTx, prefix: string): Promise<readonly Setting[]> {
  const { setting } = read
  const { name, value } = setting
  return read.db
    .select({ name, value })
    .from(setting)
    .where(like(name, `${prefix}%`))
    .orderBy(asc(name))
}

/** Saves a setting. Null removes it. */
export async function saveSetting(tx: Tx, name: string, value: string | null): Promise<void> {
  const { setting } = tx
  if (value === null) await tx.db.delete(setting).where(eq(setting.name, name))
  else await tx.db.insert(setting).values({ name, value }).onConflictDoUpdate({ target: setting.name, set: { value } })
}
