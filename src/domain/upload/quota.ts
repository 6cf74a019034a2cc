import { UPLOADS_WAITING_MAX, UPLOADS_WAITING_SIZES_MAX } from "../limits.ts"

/** Files of an organization that are arriving, that a server works on, or that nobody has decided about. */
export interface WaitingFiles {
  readonly files: number
  readonly bytes: number
}

export type QuotaProblem = "too many" | "no room"

/** How many bytes an organization's files may take, where one file may have so many. */
export const roomFor = (fileBytesMax: number) => UPLOADS_WAITING_SIZES_MAX * fileBytesMax

/** Why one more file is not taken. What people upload and what programs send is counted apart, so that neither keeps the other out. */
export function quotaProblem(waiting: WaitingFiles, bytes: number, fileBytesMax: number): QuotaProblem | null {
  if (waiting.files >= UPLOADS_WAITING_MAX) return "too many"
  return waiting.bytes + bytes > roomFor(fileBytesMax) ? "no room" : null
}
