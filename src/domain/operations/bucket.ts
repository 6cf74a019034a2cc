import { checked } from "./setting-kinds.ts"

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
  readonly bytes: number
  readonly problem: string | null
  readonly advice: string
  readonly failures: number
  readonly nextTryAt: number | null
}

/** What a bucket, or the way to it, refuses, and what to do about it. */
export interface BucketProblem {
  readonly problem: string
  readonly advice: string
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
