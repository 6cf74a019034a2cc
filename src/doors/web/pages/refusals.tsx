import type { ComponentChildren } from "preact"
import { ButtonLink } from "../parts/widgets.tsx"
import { type Page, page } from "../respond.ts"
import type { OrganizationVisit, Visit } from "../visit.ts"

interface Refusal extends Omit<Page, "body"> {
  readonly heading: string
  readonly text: ComponentChildren
}

function refusal(visit: Visit, { heading, text, ...rest }: Refusal): Response {
  const body = (
    <section class="empty">
      <h1>{heading}</h1>
      <p>{text}</p>
      <p>
        <ButtonLink href="/app" label="Go to the start" />
      </p>
    </section>
  )
  return page(visit, { ...rest, body })
}

/** The same for what is missing and for what is somebody else's. */
export function pageNotFound(visit: Visit): Response {
  const text = "The address may be mistyped, or what it named may be gone."
  return refusal(visit, { status: 404, title: "Not found", heading: "There is nothing here", text })
}

/** For a member of the organization who would have to be an admin. */
export function pageNotYours(visit: OrganizationVisit): Response {
  const text = `An admin of ${visit.organization.name} can do this, or give you the role.`
  return refusal(visit, { status: 403, title: "For admins", heading: "This is for admins", text })
}

export function pageFromElsewhere(visit: Visit): Response {
  const text = "Nothing was changed. Open the app again and repeat what you wanted to do."
  return refusal(visit, { status: 403, title: "Not from here", heading: "This did not come from our own pages", text })
}

export function pageBroken(visit: Visit, requestId: string): Response {
  const text = (
    <>
      It is in our log as <code>{requestId}</code>. Please try again.
    </>
  )
  return refusal(visit, { status: 500, title: "Our fault", heading: "Something went wrong on our side", text })
}

export function pageTooLarge(visit: Visit, most: string): Response {
  const text = `At most ${most} are taken at once. Split it and send the parts one after the other.`
  return refusal(visit, { status: 413, title: "Too large", heading: "That is too large", text })
}

export function pageTooSlow(visit: Visit): Response {
  const text = "Nothing was changed. Please send it again."
  const headers = { Connection: "close" }
  return refusal(visit, { status: 408, title: "Too slow", heading: "That did not arrive in time", text, headers })
}
