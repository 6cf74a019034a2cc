import type { Upload } from "../../../domain/upload/upload.ts"
import { Banner } from "../parts/banner.tsx"
import { ButtonLink } from "../parts/button-link.tsx"
import { formatCount, formatNumber } from "../parts/format.tsx"
import type { OrganizationVisit } from "../visit.ts"
import { baseOf } from "./place.ts"
import { Problems } from "./problems.tsx"
import { AnotherFile, uploadPage } from "./upload-page.tsx"

/** What became of a file. */
export function donePage(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  const { reported, leftOut, refused, problem } = upload.summary
  const rest = [
    ...(leftOut > 0 ? [`${formatNumber(leftOut)} left out, because their lines were not confirmed`] : []),
    ...(refused > 0 ? [`${formatNumber(refused)} refused`] : []),
  ]
  return uploadPage(visit, upload, {
    step: 4,
    body: (
      <>
        <Banner tone={problem !== "" ? "bad" : rest.length === 0 ? "good" : "warn"} live>
          {problem !== "" && <p>{problem}</p>}
          <p>{[`${formatCount(reported, "row")} reported`, ...rest].join("; ")}.</p>
        </Banner>
        <Problems visit={visit} upload={upload} />
        <div class="actions">
          <ButtonLink kind="primary" href={baseOf(visit)} label="Upload another file" />
          <ButtonLink href={`/app/o/${visit.organization.slug}/campaigns`} label="Campaigns" />
        </div>
      </>
    ),
  })
}

/** A file that is not CSV. */
export function unreadablePage(visit: OrganizationVisit, upload: Upload): Promise<Response> {
  return uploadPage(visit, upload, {
    step: 0,
    titlePrefix: "Error: ",
    body: (
      <>
        <Banner tone="bad" live>
          <p>{upload.summary.problem}</p>
        </Banner>
        <div class="actions">
          <AnotherFile visit={visit} label="Choose another file" />
        </div>
      </>
    ),
  })
}
