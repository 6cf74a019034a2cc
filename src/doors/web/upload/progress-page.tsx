import type { Upload } from "../../../domain/upload/upload.ts"
import { Card } from "../parts/card.tsx"
import { formatCount, formatNumber } from "../parts/format.tsx"
import { Progress } from "../parts/progress.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { addressOf } from "./place.ts"
import { uploadPage } from "./upload-page.tsx"

/** While a file is read or reported. The page may be closed. */
export function progressPage(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const isReading = upload.state === "reading"
  return uploadPage(visit, upload, {
    step: isReading ? 2 : 3,
    isBusy: true,
    body: (
      <Card label="Progress">
        <div data-progress={`${addressOf(visit, upload)}/status`} data-state={upload.state}>
          <Progress
            label={isReading ? "Reading the file" : "Reporting"}
            done={upload.rowsDone}
            of={Math.max(upload.rows, 1)}
          />
          <p class="soft" data-progress-text>
            {progressText(upload)}
          </p>
        </div>
        <p class="soft">You may close this page: it goes on without you, and you find the file again under Upload.</p>
      </Card>
    ),
  })
}

function progressText({ rowsDone, rows, summary }: Upload): string {
  const problems = summary.refused > 0 ? ` · ${formatCount(summary.refused, "problem")} so far` : ""
  return `${formatNumber(rowsDone)} of ${formatCount(Math.max(rows, rowsDone), "row")}${problems}`
}

/** For the script of that page. */
export function progressStatus(_: OrganizationVisit, upload: Upload): Response {
  const { state, rowsDone, rows } = upload
  return Response.json({ state, done: rowsDone, of: Math.max(rows, 1), text: progressText(upload) })
}
