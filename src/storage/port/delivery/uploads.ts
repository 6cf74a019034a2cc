import type { UploadKind } from "../../../domain/upload/columns.ts"
import type { Upload } from "../../../domain/upload/upload.ts"

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
