import type { Context } from "../actions/context.ts"
import { chosenBucket } from "../actions/operations/bucket.ts"
import type { Config } from "../config.ts"
import { InvalidSetting } from "../domain/alerts/alert-settings.ts"
import { BACKUPS_KEPT } from "../domain/operations/backup.ts"
import {
  type Bucket,
  type BucketService,
  bucketAdvice,
  readBucketAddress,
  readBucketKey,
} from "../domain/operations/bucket.ts"
import { messageOf, UserError } from "../domain/user-error.ts"
import type { Deps } from "../server/deps.ts"
import { settingOrFile } from "./alerts/channels.ts"
import { BucketProblem, bucketClient } from "./bucket-client.ts"

type BucketOptions = Pick<
  Config,
  "backupTo" | "backupEndpoint" | "backupRegion" | "backupKey" | "backupKeyFile" | "backupKeep"
>

/** The bucket that the options name; null where they name none. */
export async function bucketOfOptions(config: BucketOptions, to = config.backupTo): Promise<Bucket | null> {
  const place = to === null ? null : readBucketAddress(to)
  const key = await settingOrFile(config.backupKey, config.backupKeyFile, "backup-key-file", readBucketKey)
  if (place === null || place instanceof InvalidSetting || key === null) return null
  const { backupEndpoint: endpoint, backupRegion: region, backupKeep } = config
  return { ...place, ...key, endpoint, region, keep: backupKeep ?? BACKUPS_KEPT }
}

/** Where backups are copied to: an option of the server goes first, then what was chosen in the app. */
export async function bucketInForce(context: Pick<Context, "store">, config: BucketOptions): Promise<Bucket | null> {
  return (await bucketOfOptions(config)) ?? chosenBucket(context)
}

/** The bucket for pages, which never see its secret. */
export function bucketService(parts: Deps): BucketService {
  const { config } = parts
  const client = async () => {
    const bucket = await bucketInForce(parts, config)
    if (bucket === null) throw new UserError("Backups are copied nowhere.")
    return bucketClient(bucket)
  }
  return {
    isOption: config.backupTo !== null,
    async place() {
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
        return `${messageOf(cause)} ${bucketAdvice(cause instanceof BucketProblem ? cause.code : "")}`
      }
    },
    copies: async () => (await client()).list(),
    async *read(name) {
      yield* (await client()).read(name)
    },
  }
}
