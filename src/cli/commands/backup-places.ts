import { createWriteStream, existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { bucketInForce, bucketOption } from "../../actions/settings.ts"
import { type Config, optionsOf } from "../../config.ts"
import { UserError } from "../../domain/errors.ts"
import { isBackupName } from "../../domain/operations/backup.ts"
import { type BucketSettings, readBucketAddress, readBucketKey } from "../../domain/operations/bucket.ts"
import { PRIVATE } from "../../files.ts"
import { workFolderFor } from "../../storage/copies/work-folder.ts"
import { type Given, type Program, UsageError, withData } from "../context.ts"

/** The options that say where backups and their copies are. */
export const PLACE_OPTIONS = optionsOf(["backupDir", "backupTo", "backupEndpoint", "backupRegion", "backupKey"])

/** Uses the bucket from the options, which needs no database, or else the bucket chosen in the app. */
export async function findBucket(program: Program, config: Config, given: Given): Promise<BucketSettings | null> {
  if (config.backupTo === null) return withData(program, given, async (context) => (await bucketInForce(context)).value)
  if (config.backupKey === null) throw new UsageError("--backup-to needs --backup-key-file or ADBOOTH_BACKUP_KEY.")
  return bucketOption(config)
}

/** A backup on this machine, for as long as it isn't disposed of. */
interface LocalBackup extends Disposable {
  readonly path: string
}

/** A path beside which a backup can be put for a while: on the disk with the data, if it's on this machine. */
export function besideData({ data, databaseUrl }: Config): string {
  if (databaseUrl !== null) return join(tmpdir(), "adbooth")
  return existsSync(data) ? join(data, "backup") : data
}

/** Finds a backup: a file, standard input, s3://BUCKET/PREFIX/NAME, or the name of one in the folder or the bucket. */
export async function fetchBackup(program: Program, config: Config, given: Given, named: string): Promise<LocalBackup> {
  if (named === "-") return stored(Bun.stdin.stream(), config)
  const services = await program.services(config)
  if (named.startsWith("s3://")) return stored(services.bucket(bucketAt(config, named)).read(basename(named)), config)
  const path = [named, join(services.backups.folder, named)].find((each) => existsSync(each))
  if (path !== undefined) return { path, [Symbol.dispose]: () => undefined }
  const bucket = isBackupName(named) ? await findBucket(program, config, given) : null
  if (bucket === null) throw new UserError(`There is no file ${named}, and no backup of this name.`)
  return stored(services.bucket(bucket).read(named), config)
}

function bucketAt(config: Config, url: string): BucketSettings {
  const address = readBucketAddress(url.slice(0, url.lastIndexOf("/")))
  const key = config.backupKey === null ? null : readBucketKey(config.backupKey)
  if (address === null) throw new UsageError(`A backup in a bucket is s3://BUCKET/PREFIX/NAME, not "${url}".`)
  if (key === null) throw new UsageError("A bucket needs --backup-key-file or ADBOOTH_BACKUP_KEY.")
  return { ...address, ...key, endpoint: config.backupEndpoint, region: config.backupRegion, keep: 1 }
}

/** Writes a stream into a file that is deleted afterwards. */
async function stored(chunks: AsyncIterable<Uint8Array>, config: Config): Promise<LocalBackup> {
  const folder = workFolderFor(besideData(config))
  try {
    const path = join(folder.path, "backup")
    await pipeline(Readable.from(chunks), createWriteStream(path, { mode: PRIVATE }))
    return { path, [Symbol.dispose]: () => folder[Symbol.dispose]() }
  } catch (cause) {
    folder[Symbol.dispose]()
    throw cause
  }
}
