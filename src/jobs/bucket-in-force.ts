import type { Context } from "../actions/context.ts"
import { chosenBucket } from "../actions/operations/bucket.ts"
import type { Config } from "../config.ts"
import { InvalidSetting } from "../domain/alerts/alert-settings.ts"
import { BACKUPS_KEPT } from "../domain/operations/backup.ts"
import { type Bucket, readBucketAddress, readBucketKey } from "../domain/operations/bucket.ts"
import { settingOrFile } from "./alerts/channels.ts"

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
