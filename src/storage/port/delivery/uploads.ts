import type { Change } from "../../../domain/people/audit.ts"
import type { Moment } from "../../../domain/time/moment.ts"
import type { WaitingFiles } from "../../../domain/upload/quota.ts"
import type { Upload, UploadKind, UploadState } from "../../../domain/upload/upload.ts"

export type Uploads = UploadReads & UploadWrites

/** The text of a file, or pages of its preview as JSON. */
export type UploadPartKind = "file" | "preview"

export interface UploadReads {
  /** Null for a file of another organization, for one that is still arriving, and for one that was discarded. */
  find(organizationId: number, id: number): Promise<Upload | null>
  /** The latest files of an organization, newest first. */
  list(organizationId: number, limit: number): Promise<Upload[]>
  /** The latest other file of the organization with the same kind and content. */
  findSame(upload: Pick<Upload, "id" | "organizationId" | "kind" | "digest">): Promise<Upload | null>
  /** Null after the last part. */
  part(id: number, kind: UploadPartKind, position: number): Promise<string | null>
  /** What columns of this kind of file mean in an organization, by their names. */
  columns(organizationId: number, kind: UploadKind): Promise<ReadonlyMap<string, string>>
}

export interface UploadWrites {
  /**
   * Makes room for a file that begins to arrive, unless there is a problem with the files that wait: of programs for a program's, of
   * people for a person's. No other file can begin in between.
   */
  begin<Problem extends string | null>(
    file: NewUpload,
    problemOf: (waiting: WaitingFiles) => Problem,
  ): Promise<number | NonNullable<Problem>>
  /** Adds or replaces a part. False when the file was discarded meanwhile. */
  savePart(id: number, kind: UploadPartKind, position: number, content: string, at: Moment): Promise<boolean>
  /**
   * Changes a file if it is in one of these states, with the audit entry `action` where there is one. False, and nothing is changed,
   * when it is not: somebody else was faster.
   */
  move(id: number, from: readonly UploadState[], to: UploadChange, by: UploadMover): Promise<boolean>
  /**
   * The file that has waited longest for a server to read or report it, now left to `worker` until `until`; null when there is none.
   * A file that another worker has is handed out only when that one's time is over.
   */
  claim(worker: string, now: Moment, until: Moment): Promise<Upload | null>
  /** Notes how far the worker has got, and keeps the file for it. False when it lost the file: it was discarded, or its time was over. */
  progress(id: number, worker: string, to: UploadChange, until: Moment): Promise<boolean>
  rememberColumns(organizationId: number, kind: UploadKind, columns: ReadonlyMap<string, string>): Promise<void>
  /**
   * Discards files that stopped arriving before `abandonedBefore` or that nobody decided about since `undecidedBefore`, removes at most
   * `partsMax` parts of discarded and old files and of those beyond the newest `keptFilesMax` and `keptBytesMax` of an organization, and
   * forgets files from before `forgottenBefore` or beyond `rememberedMax`. True when there is more to remove.
   */
  sweep(limits: SweepLimits): Promise<boolean>
}

export interface NewUpload extends Pick<Upload, "organizationId" | "kind" | "fileName" | "bytes"> {
  /** Null for a file that a program sent. */
  readonly uploadedBy: number | null
  readonly uploadedAt: Moment
}

/** What changes; everything else stays. */
export type UploadChange = Partial<
  Pick<Upload, "state" | "bytes" | "digest" | "rows" | "rowsDone" | "choices" | "summary" | "receivedAt">
>

/** Who moves a file on; `action` is the entry of the audit trail, null for steps that change nothing of anybody's. */
export interface UploadMover extends Change {
  readonly action: string | null
}

export interface SweepLimits {
  readonly abandonedBefore: Moment
  readonly undecidedBefore: Moment
  readonly forgottenBefore: Moment
  readonly keptBytesMax: number
  readonly keptFilesMax: number
  readonly rememberedMax: number
  readonly partsMax: number
}
