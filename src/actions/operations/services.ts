import { Database } from "bun:sqlite"
import { lookup } from "node:dns/promises"
import { basename } from "node:path"
import { version } from "../../../package.json"
import type { ServiceProblem } from "../../domain/errors.ts"
import type { BucketSettings } from "../../domain/operations/backup.ts"
import type { HttpsChoice } from "../../domain/operations/https.ts"
import { copyBeforeUpgrade } from "../../storage/sqlite/copy-file.ts"
import type { Actor, Context } from "../context.ts"
import { choose, saveNote, storedSetting } from "../settings.ts"

/** A bucket as a form has it. A form never shows a secret, so null means the stored one. */
export interface TypedBucket extends Omit<BucketSettings, "secret"> {
  readonly secret: string | null
}

/** Writes, reads and deletes a small file in a bucket that isn't saved yet. Null if that works. */
export async function testBucket(context: Context, typed: TypedBucket): Promise<ServiceProblem | null> {
  return context.services.bucket(await withStoredSecret(context, typed)).test()
}

/** Chooses the bucket that backups are copied to, or none. The copies in another bucket stay there. */
export async function saveBucket(
  context: Context,
  actor: Actor,
  typed: TypedBucket | null,
  version?: string,
): Promise<"saved" | "changed"> {
  const bucket = typed && (await withStoredSecret(context, typed))
  const before = await storedSetting(context.database.read, "secret.bucket")
  const saved = await choose(context, actor, "secret.bucket", bucket, version)
  const isSamePlace = before?.bucket === bucket?.bucket && before?.endpoint === bucket?.endpoint
  // Another bucket still needs every copy.
  if (saved === "saved" && !isSamePlace) await saveNote(context, "note.bucket", null)
  return saved
}

async function withStoredSecret({ database }: Context, typed: TypedBucket): Promise<BucketSettings> {
  const stored = await storedSetting(database.read, "secret.bucket")
  // A stored secret is only sent to the service that it belongs to.
  const isSameService = stored?.endpoint === typed.endpoint && stored.keyId === typed.keyId
  return { ...typed, secret: typed.secret ?? (isSameService ? (stored?.secret ?? "") : "") }
}

/** The first of these domains that has no address, as far as this machine can see. Null if each of them has one. */
export async function domainWithoutAddress(domains: readonly string[]): Promise<string | null> {
  for (const domain of domains) {
    const found = await lookup(domain).catch(() => null)
    if (found === null) return domain
  }
  return null
}

/** Gets a certificate for the domains, and serves HTTPS with it from now on. Returns what went wrong, or null. */
export async function setUpHttps(context: Context, actor: Actor, choice: HttpsChoice): Promise<ServiceProblem | null> {
  const { https } = context.services
  const problem = await https.order(choice.domains, choice.email)
  if (problem !== null) return problem
  await choose(context, actor, "https", choice)
  await https.refresh()
  return null
}

/** Stops serving HTTPS. */
export async function turnHttpsOff(context: Context, actor: Actor): Promise<void> {
  await choose(context, actor, "https", null)
  await context.services.https.refresh()
}

// Filled in by scripts/build.ts. There is none when the program runs from source.
declare const ADBOOTH_COMMIT: string | undefined

export const VERSION = version

/** For people and bug reports. */
export function versions(): Readonly<Record<string, string>> {
  using memory = new Database(":memory:")
  const sqlite = memory.query<{ version: string }, []>("SELECT sqlite_version() AS version").get()
  return {
    adbooth: version,
    commit: typeof ADBOOTH_COMMIT === "string" ? ADBOOTH_COMMIT : "source",
    bun: Bun.version,
    sqlite: sqlite?.version ?? "unknown",
  }
}

/** The name of the copy that was made before the last upgrade. Null if there is none. PostgreSQL needs a backup of its own. */
export function copyFromBefore({ config }: Pick<Context, "config">): string | null {
  const copy = config.databaseUrl === null ? copyBeforeUpgrade(config.data) : null
  return copy && basename(copy)
}
