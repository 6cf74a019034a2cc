import type { Upload } from "../../../domain/upload/upload.ts"
import { withFound } from "../route.ts"
import { idParam, type OrganizationVisit } from "../visit.ts"

export const STEPS = ["File", "Columns", "Preview", "Done"] as const

export const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/upload`
export const addressOf = (visit: OrganizationVisit, { id }: Upload) => `${baseOf(visit)}/${id}`

/** Answers about the file in the path, or with "not found". */
export const withUpload = (show: (visit: OrganizationVisit, upload: Upload) => Response | Promise<Response>) =>
  withFound(async (visit: OrganizationVisit) => {
    const id = idParam(visit, "upload")
    return id === null ? null : visit.context.store.uploads.find(visit.organization.id, id)
  }, show)

export const changeBy = ({ actor, now }: OrganizationVisit) => ({ actor, at: now })
