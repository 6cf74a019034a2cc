import type { Upload } from "../../domain/upload/upload.ts"
import type { ReportContext } from "../context.ts"
import { rowChecker } from "./check-rows.ts"
import { fileRows, fileStart } from "./file-rows.ts"
import { zoneOf } from "./read-upload.ts"

export interface RefusedRows {
  readonly header: readonly string[]
  /** The cells of each refused row as they came, and why. */
  readonly rows: AsyncIterable<readonly (readonly string[])[]>
}

/** Finds the refused rows again by reading the file once more, because a million of them need not be stored. */
export async function refusedRows(
  context: ReportContext,
  upload: Upload,
  pause: () => Promise<void>,
): Promise<RefusedRows> {
  const header = (await fileStart(context.store, upload.id))?.header ?? []
  const zone = await zoneOf(context, upload.organizationId)
  const check = rowChecker(context, upload, zone, upload.receivedAt ?? context.clock())

  async function* rows() {
    let isFirst = true
    for await (const group of fileRows(context.store, upload.id, pause)) {
      const checked = await check(isFirst ? group.slice(1) : group)
      isFirst = false
      const refused = checked.filter(({ refusal }) => refusal !== null)
      if (refused.length === 0) continue
      yield refused.map(({ cells, refusal }) => [
        ...header.map((_, i) => cells[i] ?? ""),
        [refusal?.title, refusal?.text].filter(Boolean).join(". "),
      ])
    }
  }
  return { header, rows: rows() }
}
