import { existsSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { chosenBucket } from "../actions/operations/bucket.ts"
import type { Config } from "../config.ts"
import { isBackup } from "../domain/operations/backup.ts"
import type { Bucket, StoredCopy } from "../domain/operations/bucket.ts"
import { UserError } from "../domain/user-error.ts"
import { databaseUrlOf } from "../storage/open.ts"
import type { OpenStore } from "../storage/port/store.ts"
import { bucketClient } from "./bucket-client.ts"
import { bucketOfOptions } from "./bucket-in-force.ts"

/** Where scheduled backups are, for the command line: in their folder and in the bucket. */
export interface StoredBackups {
  here(config: Config): Promise<readonly StoredCopy[]>
  inBucket(config: Config): Promise<readonly StoredCopy[]>
  /** The content of a copy that is named by its address, or that is only in the bucket; null for a file. */
  fromBucket(config: Config, file: string): Promise<ReadableStream<Uint8Array> | null>
}

interface Parts {
  folderOf(config: Config): string
  hasDatabase(config: Config): boolean
  open(config: Config): Promise<OpenStore>
}

export function storedBackups({ folderOf, hasDatabase, open }: Parts): StoredBackups {
  /** Options first; then what was chosen in the app, where there is a database to look into. */
  async function bucketOf(config: Config): Promise<Bucket | null> {
    const named = await bucketOfOptions(config)
    if (named !== null || (databaseUrlOf(config) === null && !hasDatabase(config))) return named
    await using store = await open(config)
    return await chosenBucket({ store })
  }

  return {
    async here(config) {
      const folder = folderOf(config)
      const names = (await readdir(folder).catch(() => [])).filter(isBackup).sort()
      return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(join(folder, name))).size })))
    },
    async inBucket(config) {
      const bucket = await bucketOf(config)
      return bucket === null ? [] : (await bucketClient(bucket).list()).filter(({ name }) => isBackup(name))
    },
    async fromBucket(config, file) {
      if (file.startsWith("s3://")) {
        const name = file.slice(file.lastIndexOf("/") + 1)
        const bucket = await bucketOfOptions(config, dirname(file))
        if (bucket !== null) return bucketClient(bucket).read(name)
        throw new UserError("A bucket needs its access key: --backup-key-file, or ADBOOTH_BACKUP_KEY.")
      }
      if (!isBackup(file) || existsSync(file)) return null
      const bucket = await bucketOf(config)
      return bucket === null ? null : bucketClient(bucket).read(file)
    },
  }
}
