import type { Upload } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { checkedRows } from "./checked-rows.ts"
import { fileStart } from "./file-rows.ts"
import { zoneOf } from "./read-upload.ts"

export interface RefusedRows {
  readonly header: readonly string[]
  /** The cells of each refused row as they came, and why. */
  readonly rows: AsyncIterable<readonly (readonly string[])[]>
}

/** Finds the refused rows again by reading the file once more; null when its text is no longer kept. */
export async function refusedRows(
  context: ReportContext,
  upload: Upload,
  pause: () => Promise<void>,
): Promise<RefusedRows | null> {
  const start = await fileStart(context.store, upload.id, upload.choices.layout)
  if (start === null) return null
  const { header } = start
  const zone = await zoneOf(context, upload.organizationId)
  const now = upload.summary.readAt ?? upload.receivedAt ?? context.clock()

  async function* rows() {
    for await (const group of checkedRows(context, upload, { zone, now, pause })) {
      const refused = group.rows.filter(({ refusal }) => refusal !== null)
      if (refused.length === 0) continue
      yield refused.map(({ cells, refusal }) => [
        ...header.map((_, i) => cells[i] ?? ""),
        [refusal?.title, refusal?.text].filter(Boolean).join(". "),
      ])
    }
  }
  return { header, rows: rows() }
}
