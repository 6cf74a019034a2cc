import { createHash, createHmac } from "node:crypto"
import { formatMoment, MICROS_PER_MINUTE, type Moment, readTimestamp } from "../time/moment.ts"
import { checked } from "./setting-kinds.ts"

/** When backups are made, and how many are kept. `every` is null for never. */
export interface BackupSchedule {
  readonly every: Moment | null
  readonly keep: number
}

/** The outcome of the last scheduled backup, as stored for checks, alerts and pages. */
export interface LastBackup {
  /** When it began. */
  readonly at: Moment
  readonly name: string
  /** Why it failed. Null if it was made and verified. */
  readonly problem: string | null
}

export const BACKUPS_KEPT = 7

const NAME = /^adbooth-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db(\.gz|\.zst)?$/

/** Named after the time in UTC, so that names sort by time. */
export function backupName(at: Moment): string {
  const stamp = formatMoment(at).slice(0, 19).replaceAll(/[-:]/g, "")
  return `adbooth-${stamp}Z.db`
}

export const isBackupName = (name: string): boolean => NAME.test(name)

/** When a backup was made, by its name. */
export const backupTime = (name: string): Moment => readTimestamp(name.replace(NAME, "$1-$2-$3T$4:$5:$6Z")) ?? 0

/** The backups beyond the newest `keep`, oldest first. Other files are never among them. */
export function outdatedBackups(names: readonly string[], keep: number, now: Moment): string[] {
  const backups = names.filter(isBackupName).sort()
  // A backup dated in the future is an old one, made while the clock was ahead.
  const isAhead = (name: string) => backupTime(name) > now
  const inOrder = [...backups.filter(isAhead), ...backups.filter((name) => !isAhead(name))]
  return inOrder.slice(0, Math.max(0, inOrder.length - keep))
}

const RETRY = 15 * MICROS_PER_MINUTE
const SLACK = MICROS_PER_MINUTE

/** Whether the next one is due. A clock that was set back delays it by no more than usual. */
export function isBackupDue(last: LastBackup | null, now: Moment, every: Moment): boolean {
  if (last === null) return true
  const pause = last.problem === null ? every : Math.min(every, RETRY)
  return Math.abs(now - last.at) >= pause
}

export const isBackupOverdue = (last: LastBackup, now: Moment, every: Moment): boolean =>
  now - last.at > 2 * every + SLACK

/** A place for copies of backups in the storage of an S3-compatible service. */
export interface BucketSettings {
  /** The address of the service. Null for Amazon's own. */
  readonly endpoint: string | null
  readonly region: string | null
  readonly bucket: string
  /** What names begin with: empty, or with a slash at its end. */
  readonly prefix: string
  readonly keyId: string
  readonly secret: string
  /** How many copies are kept. */
  readonly keep: number
}

export interface StoredCopy {
  readonly name: string
  readonly bytes: number
}

/** How the copies are doing, as stored for checks, alerts and pages. */
export interface BucketNote {
  /** The last copy that was read back and found equal. Null before the first. */
  readonly copiedAt: number | null
  readonly name: string | null
  readonly copies: number
  readonly problem: string | null
  readonly advice: string
  readonly failures: number
  readonly nextTryAt: number | null
}

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/

/** Reads s3://BUCKET/PREFIX. */
export function readBucketAddress(text: string): Pick<BucketSettings, "bucket" | "prefix"> | null {
  const [, bucket, folders = ""] = ADDRESS.exec(text) ?? []
  if (bucket === undefined) return null
  const prefix = folders.replace(/\/+$/, "")
  return { bucket, prefix: prefix === "" ? "" : `${prefix}/` }
}

export const BUCKET_ADDRESS = checked("url", readBucketAddress, "must be a URL such as s3://my-backups/adbooth")

/** Reads KEY_ID:SECRET. */
export function readBucketKey(text: string): Pick<BucketSettings, "keyId" | "secret"> | null {
  const [, keyId, secret] = /^([^\s:]+):(\S+)$/.exec(text.trim()) ?? []
  return keyId === undefined || secret === undefined ? null : { keyId, secret }
}

export const BUCKET_KEY = checked(
  "id:secret",
  readBucketKey,
  "must be the ID of the access key and its secret, with a colon between them",
)

export const NO_COPY_YET: BucketNote = {
  copiedAt: null,
  name: null,
  copies: 0,
  problem: null,
  advice: "",
  failures: 0,
  nextTryAt: null,
}

/** The bucket for people, without its keys. */
export const bucketInWords = ({ bucket, prefix, endpoint }: BucketSettings): string =>
  `${bucket}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`} at ${endpoint === null ? "Amazon S3" : new URL(endpoint).host}`

// Advice by error code: the code from the service, or our own if we couldn't reach it.
const ADVICE: Readonly<Record<string, string>> = {
  AccessDenied:
    "At your storage provider, allow the key to list, read, write and delete in this bucket, or enter a new key.",
  InvalidAccessKeyId: "The service doesn't know this access key ID. Check it, or create a new key.",
  SignatureDoesNotMatch: "The secret doesn't belong to this access key ID. Enter both again.",
  NoSuchBucket: "Check the name of the bucket, or create it at your storage provider.",
  PermanentRedirect: "The bucket is in another region. Choose its region, or the URL of that region.",
  Redirect: "Use the service's own URL. Adbooth doesn't follow redirects, because they could lead to another host.",
  AuthorizationHeaderMalformed: "Enter the region of the bucket, and its access key again.",
  RequestTimeTooSkewed: "The clock of this machine is wrong. Set it, then try again.",
  SlowDown: "The service is busy. Try again in a few minutes.",
  NoSuchKey: '"adbooth backup list" shows which copies there are.',
  NotEqual: "The copy was removed, and Adbooth makes it again.",
}

// Each service has a name of its own for it: QuotaExceeded, XMinioStorageFull, InsufficientStorage.
const IS_FULL = /full|quota|insufficient/i

export function bucketAdvice(code: string): string {
  if (IS_FULL.test(code)) return "The bucket is full. Delete something, keep fewer copies, or get more space."
  return ADVICE[code] ?? "Check the URL of the storage service, and this machine's connection to it."
}

interface Signer {
  readonly keyId: string
  readonly secret: string
  readonly region: string
}

interface SignedRequest {
  readonly method: string
  /** Its query is sorted and encoded as the signature wants it. */
  readonly url: URL
  readonly body: Uint8Array
}

/** The headers of AWS Signature Version 4, which every S3-compatible service checks. */
export function signedHeaders({ keyId, secret, region }: Signer, { method, url, body }: SignedRequest, now: Date) {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, "")
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const digest = createHash("sha256").update(body).digest("hex")
  const signed = "host;x-amz-content-sha256;x-amz-date"
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    `host:${url.host}\nx-amz-content-sha256:${digest}\nx-amz-date:${time}\n`,
    signed,
    digest,
  ].join("\n")
  const text = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${createHash("sha256").update(canonical).digest("hex")}`
  const key = scope.split("/").reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`)
  const signature = hmac(key, text).toString("hex")
  return {
    "x-amz-content-sha256": digest,
    "x-amz-date": time,
    Authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()
