import { existsSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { Context } from "../actions/context.ts"
import { chosenBucket } from "../actions/operations/bucket.ts"
import type { Config } from "../config.ts"
import { BACKUPS_KEPT, isBackup } from "../domain/operations/backup.ts"
import type { Bucket, BucketService } from "../domain/operations/bucket.ts"
import { readBucketAddress, readBucketKey } from "../domain/operations/bucket.ts"
import { InvalidSetting, validSetting } from "../domain/operations/service-settings.ts"
import { codeOf, forbidden, messageOf, UserError } from "../domain/user-error.ts"
import { makeOwnedFolders } from "../files/new-file.ts"
import { backupDirectory, databaseUrlOf, hasCurrentDatabase } from "../storage/open.ts"
import type { OpenStore } from "../storage/port/store.ts"
import { bucketClient } from "./bucket-client.ts"
import type { JobContext } from "./job-context.ts"

type BucketOptions = Pick<Config, "backupTo" | "backupEndpoint" | "backupRegion" | "backupKey" | "backupKeep">

/** The bucket that the options name; null where they name none. */
async function bucketOfOptions(config: BucketOptions, to = config.backupTo): Promise<Bucket | null> {
  const place = to === null ? null : readBucketAddress(to)
  const key = config.backupKey === null ? null : validSetting(readBucketKey(config.backupKey))
  if (place === null || place instanceof InvalidSetting || key === null) return null
  const { backupEndpoint: endpoint, backupRegion: region, backupKeep } = config
  return { ...place, ...key, endpoint, region, keep: backupKeep ?? BACKUPS_KEPT }
}

/** Where backups are copied to: an option of the server goes first, then what was chosen in the app. */
export async function bucketInForce(context: Pick<Context, "store">, config: BucketOptions): Promise<Bucket | null> {
  return (await bucketOfOptions(config)) ?? chosenBucket(context)
}

/** The bucket for pages, which never see its secret. */
export function bucketService(parts: JobContext): BucketService {
  const { config } = parts
  const client = async () => {
    const bucket = await bucketInForce(parts, config)
    if (bucket === null) throw new UserError("Backups are copied nowhere.")
    return bucketClient(bucket)
  }
  return {
    isOption: config.backupTo !== null,
    async inForce() {
      const bucket = await bucketInForce(parts, config)
      if (bucket === null) return null
      const { secret: _, ...place } = bucket
      return place
    },
    storedSecret: async () => (await chosenBucket(parts))?.secret ?? null,
    async test(bucket) {
      try {
        const trial = bucket === null ? await client() : bucketClient(bucket)
        await trial.test(`adbooth-test-${Buffer.from(parts.random(6)).toString("hex")}`)
        return null
      } catch (cause) {
        return messageOf(cause)
      }
    },
    copies: async () => (await client()).list(),
    async *read(name) {
      yield* (await client()).read(name)
    },
  }
}

/** Where scheduled backups are, for the command line: in their folder and in the bucket. */
export function storedBackups(open: (config: Config, how: { readonly create: boolean }) => Promise<OpenStore>) {
  /** Options first; then what was chosen in the app, where there is a database to look into. */
  async function bucketOf(config: Config): Promise<Bucket | null> {
    const named = await bucketOfOptions(config)
    if (named !== null || (databaseUrlOf(config) === null && !hasCurrentDatabase(config))) return named
    await using store = await open(config, { create: false })
    return await chosenBucket({ store })
  }

  return {
    async here(config: Config) {
      const folder = backupDirectory(config)
      const names = (await readdir(folder).catch(noneUnlessForbidden(folder))).filter(isBackup).sort()
      return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })))
    },
    /** The folder of scheduled backups, made where it is missing. */
    makeFolder(config: Config) {
      const folder = backupDirectory(config)
      makeOwnedFolders(folder)
      return folder
    },
    async inBucket(config: Config) {
      const bucket = await bucketOf(config)
      return bucket === null ? null : (await bucketClient(bucket).list()).filter(({ name }) => isBackup(name))
    },
    /** The file that is named, or a backup by the name that lists show: here, else in the bucket. */
    async find(config: Config, named: string) {
      if (named.startsWith("s3://")) {
        if (readBucketAddress(dirname(named)) instanceof InvalidSetting)
          throw new UserError("A copy has an address such as s3://my-backups/adbooth/adbooth-20261115T030000Z.db.")
        const bucket = await bucketOfOptions(config, dirname(named))
        if (bucket !== null) return bucketClient(bucket).read(basename(named))
        throw new UserError("A bucket needs its access key: ADBOOTH_BACKUP_KEY, or ADBOOTH_BACKUP_KEY_FILE.")
      }
      if (!isBackup(named) || existsSync(named)) return named
      const here = join(backupDirectory(config), named)
      if (existsSync(here)) return here
      const bucket = await bucketOf(config)
      return bucket === null ? named : bucketClient(bucket).read(named)
    },
  }
}

const noneUnlessForbidden = (folder: string) => (cause: unknown) => {
  if (codeOf(cause) === "EACCES") throw forbidden(folder, cause)
  return []
}
