import type { ComponentChildren } from "preact"
import { UNAVAILABLE_RETRY_SECONDS } from "../http/problem.ts"
import { strangerNotFound } from "./outer.tsx"
import { ButtonLink } from "./parts/buttons.tsx"
import { type Page, page } from "./respond.ts"
import type { OrganizationVisit, PersonVisit, Visit } from "./visit.ts"

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
        <ButtonLink href="/app" label={visit.person === null ? "Sign in" : "Go to the start page"} />
      </p>
    </section>
  )
  return page(visit, { ...rest, body })
}

/** The same for what does not exist and for what belongs to somebody else. */
export function pageNotFound(visit: PersonVisit): Response
export function pageNotFound(visit: Visit): Response | Promise<Response>
export function pageNotFound(visit: Visit): Response | Promise<Response> {
  if (visit.person === null) return strangerNotFound(visit)
  const text = "Perhaps a letter is missing, or the page was moved. Nothing was lost."
  return refusal(visit, { status: 404, title: "Not found", heading: "There is nothing at this address", text })
}

/** For a member of the organization who would have to be an admin. */
export function pageAdminsOnly(visit: OrganizationVisit): Response {
  const text = `Ask an admin of ${visit.organization.name} to do it, or to make you an admin.`
  return refusal(visit, { status: 403, title: "Admins only", heading: "Only admins can do this", text })
}

export function pageCrossOrigin(visit: Visit): Response {
  const text = "Nothing was changed. Open the app again and try once more."
  return refusal(visit, {
    status: 403,
    title: "Request refused",
    heading: "This request did not come from our own pages",
    text,
  })
}

export function pageServerError(visit: Visit, requestId: string): Response {
  const text = (
    <>
      The error is in our log as <code>{requestId}</code>. Please try again.
    </>
  )
  return refusal(visit, {
    status: 500,
    title: "Something went wrong",
    heading: "Something went wrong on our side",
    text,
  })
}

/** While the database cannot be reached. */
export function pageUnavailable(visit: Visit): Response {
  const text = "The database cannot be reached at the moment. If you saved something, check whether it was saved."
  const headers = { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) }
  const heading = "Please try again in a few seconds"
  return refusal(visit, { status: 503, title: "Not available", heading, text, headers })
}

// The rest of a form that is refused is not waited for.

export function pageTooLarge(visit: Visit, most: string): Response {
  const text = `The limit is ${most}. Split it and send the parts one by one.`
  return refusal(visit, { status: 413, title: "Too large", heading: "This is too large", text })
}

/** While there is no room for what was sent. */
export function pageBusy(visit: Visit): Response {
  const text = "The server is busy. Nothing was changed."
  const headers = { "Retry-After": "1" }
  return refusal(visit, { status: 503, title: "Busy", heading: "Please try again in a moment", text, headers })
}

export function pageUnreadable(visit: Visit): Response {
  const text = "Nothing was changed. Send it again from one of our pages."
  return refusal(visit, { status: 400, title: "Not readable", heading: "This form cannot be read", text })
}

export function pageTooSlow(visit: Visit): Response {
  const text = "Nothing was changed. Please send it again, over a faster connection if you can."
  return refusal(visit, {
    status: 408,
    title: "Too slow",
    heading: "That took too long to arrive",
    text,
    headers: { Connection: "close" },
  })
}
