import { type Static, Type } from "@sinclair/typebox"
import { codeOf, messageOf, sentence, UserError } from "../user-error.ts"
import { InvalidSetting } from "./service-settings.ts"

// A copy of each scheduled backup in a bucket of an S3-compatible service.

export const Bucket = Type.Object({
  /** The address of the service; null: Amazon's own. */
  endpoint: Type.Union([Type.String(), Type.Null()]),
  region: Type.Union([Type.String(), Type.Null()]),
  bucket: Type.String(),
  /** What names begin with, with a slash at its end, or nothing. */
  prefix: Type.String(),
  keyId: Type.String(),
  secret: Type.String(),
  keep: Type.Integer({ minimum: 1 }),
})
export type Bucket = Static<typeof Bucket>

/** How the copies stand, as stored for the doctor, alerts and pages. */
export const BucketNote = Type.Object({
  /** The last copy that was read back and found equal; null before the first. */
  copiedAt: Type.Union([Type.Integer(), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
  copies: Type.Integer(),
  bytes: Type.Integer(),
  problem: Type.Union([Type.String(), Type.Null()]),
  advice: Type.String(),
  failures: Type.Integer(),
  nextTryAt: Type.Union([Type.Integer(), Type.Null()]),
})
export type BucketNote = Static<typeof BucketNote>

export const NO_COPY_YET: BucketNote = {
  copiedAt: null,
  name: null,
  copies: 0,
  bytes: 0,
  problem: null,
  advice: "",
  failures: 0,
  nextTryAt: null,
}

export type StoredCopy = Readonly<{ name: string; bytes: number }>

export interface BucketService {
  /** Whether an option of the server names it. */
  readonly isOption: boolean
  /** Without its secret; null where backups are copied nowhere. */
  inForce(): Promise<Omit<Bucket, "secret"> | null>
  /** For a form in which the secret was left empty; null where none is stored. */
  storedSecret(): Promise<string | null>
  /** Writes, reads and deletes a small file; null tries the one in force. What was wrong, in words. */
  test(bucket: Bucket | null): Promise<string | null>
  copies(): Promise<readonly StoredCopy[]>
  read(name: string): AsyncIterable<Uint8Array>
}

export const bucketInWords = ({ bucket, prefix, endpoint }: Pick<Bucket, "bucket" | "prefix" | "endpoint">) =>
  `${bucket}${prefix === "" ? "" : `/${prefix.slice(0, -1)}`} at ${endpoint === null ? "Amazon S3" : new URL(endpoint).host}`

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/

export type BucketAddress = Pick<Bucket, "bucket" | "prefix">

/** Reads s3://BUCKET/PREFIX. */
export function readBucketAddress(text: string): BucketAddress | InvalidSetting {
  const [, bucket, prefix = ""] = ADDRESS.exec(text) ?? []
  if (bucket === undefined) return new InvalidSetting("must be an address such as s3://my-backups/adbooth")
  const trimmed = prefix.replace(/\/+$/, "")
  return { bucket, prefix: trimmed === "" ? "" : `${trimmed}/` }
}

/** Reads KEY_ID:SECRET, as one line. */
export function readBucketKey(text: string): Pick<Bucket, "keyId" | "secret"> | InvalidSetting {
  const [, keyId, secret] = /^([^\s:]+):(\S+)$/.exec(text.trim()) ?? []
  if (keyId === undefined || secret === undefined)
    return new InvalidSetting("must be the access key's ID and its secret with a colon between them: ID:SECRET")
  return { keyId, secret }
}

// By the code that the service, or the way to it, gives.
const ADVICE: Readonly<Record<string, string>> = {
  AccessDenied:
    "Allow the key to list, read, write and delete in the bucket at your storage provider, or enter a new key.",
  InvalidAccessKeyId: "The service does not know the access key ID. Check it, or make a new key.",
  SignatureDoesNotMatch: "The secret does not belong to the access key ID. Enter both again.",
  NoSuchBucket: "There is no such bucket. Check its name, or create it at your storage provider.",
  PermanentRedirect: "The bucket is in another region. Choose its region, or the address of that region.",
  AuthorizationHeaderMalformed: "Enter the region of the bucket, and its access key again.",
  RequestTimeTooSkewed: "The clock of this machine is wrong. Set it, then try again.",
  SlowDown: "The service is busy. Try again in a few minutes.",
  NoSuchKey: '"adbooth backup list" shows which copies are there.',
  Unequal: "What was read back is not what was sent. The copy was removed and is made again.",
}

// What the runtime calls an unexpected error.
const ON_THE_WAY: Readonly<Record<string, string>> = {
  ConnectionRefused: "nothing answers at this address",
  DNSResolveFailed: "this name has no address",
  InvalidResponse: "what answers at this address is no S3-compatible storage",
  UnknownError: "what answers at this address does not say why",
  TLSHandshakeFailed: "no secure connection is possible, since it does not speak HTTPS or its certificate is not valid",
}

// Each service has a name of its own for it: QuotaExceeded, XMinioStorageFull, InsufficientStorage.
const IS_FULL = /full|quota|insufficient/i

function adviceFor(code: string): string {
  if (IS_FULL.test(code)) return "The bucket is full. Delete something, keep fewer copies, or get more room."
  return ADVICE[code] ?? "Check the address of the storage and this machine’s connection."
}

/** What a bucket, or the way to it, refuses: what is wrong and what to do, for the log, pages and the command line. */
export class BucketProblem extends UserError {
  readonly problem: string
  readonly advice: string

  constructor(code: string, problem: string) {
    super(`${sentence(problem)} ${adviceFor(code)}`)
    this.problem = sentence(problem)
    this.advice = adviceFor(code)
  }
}

// A page of another program, or of a proxy in between.
const IS_PAGE = /^\s*<(?:!doctype|html)/i

/** Errors of the service carry its code and never a key. */
export function bucketProblem(cause: unknown, bucket: Pick<Bucket, "bucket" | "prefix" | "endpoint">): BucketProblem {
  if (cause instanceof BucketProblem) return cause
  const code = IS_PAGE.test(messageOf(cause)) ? "InvalidResponse" : codeOf(cause)
  const why = ON_THE_WAY[code] ?? [code, messageOf(cause)].filter((part) => part !== "").join(": ")
  return new BucketProblem(code, `The bucket ${bucketInWords(bucket)} cannot be used: ${why}`)
}
