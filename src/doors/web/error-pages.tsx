import type { ComponentChildren } from "preact"
import { UNAVAILABLE_RETRY_SECONDS } from "../http/problem.ts"
import type { FormProblem } from "./form.ts"
import { NOTHING_HERE, strangerNotFound } from "./outside/stranger-pages.tsx"
import { ButtonLink } from "./parts/blocks.tsx"
import { type Page, page } from "./respond.tsx"
import type { OrganizationVisit, PersonVisit, Visit } from "./visit.ts"

type Refusal = Omit<Page, "body"> & Readonly<{ heading: string; text: ComponentChildren }>

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
  return visit.person === null ? strangerNotFound(visit) : refusal(visit, NOTHING_HERE)
}

/** For a member of the organization who would have to be an admin. */
export function pageAdminsOnly(visit: OrganizationVisit): Response {
  const text = `Ask an admin of ${visit.organization.name} to do it, or to make you an admin.`
  return refusal(visit, { status: 403, title: "Admins only", heading: "Only admins can do this", text })
}

export function pageServerError(visit: Visit, requestId: string): Response {
  const text = ["The error is in our log as ", <code>{requestId}</code>, ". Please try again."]
  const heading = "Something went wrong on our side"
  return refusal(visit, { status: 500, title: "Something went wrong", heading, text })
}

const REFUSALS: Readonly<Record<FormProblem | "cross-origin" | "unavailable", Refusal>> = {
  "cross-origin": {
    status: 403,
    title: "Request refused",
    heading: "This request did not come from our own pages",
    text: "Nothing was changed. Open the app again and try once more.",
  },
  unavailable: {
    status: 503,
    title: "Not available",
    heading: "Please try again in a few seconds",
    text: "The database can’t be reached right now. If you saved something, check that it is there.",
    headers: { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) },
  },
  busy: {
    status: 503,
    title: "Busy",
    heading: "Please try again in a moment",
    text: "The server is busy. Nothing was changed.",
    headers: { "Retry-After": "1" },
  },
  "too large": {
    status: 413,
    title: "Too large",
    heading: "This is too large",
    text: "Split it and send the parts one by one.",
  },
  unreadable: {
    status: 400,
    title: "Not readable",
    heading: "This form can’t be read",
    text: "Nothing was changed. Send it again from one of our pages.",
    headers: { Connection: "close" },
  },
  "without length": {
    status: 411,
    title: "Not readable",
    heading: "This form can’t be read",
    text: "Nothing was changed. Send it again from one of our pages.",
    headers: { Connection: "close" },
  },
  "too slow": {
    status: 408,
    title: "Too slow",
    heading: "That took too long to arrive",
    text: "Nothing was changed. Please send it again, over a faster connection if you can.",
    // The rest is not waited for.
    headers: { Connection: "close" },
  },
}

/** Why nothing was done; `first` says more about it. */
export function pageRefused(visit: Visit, why: keyof typeof REFUSALS, first = ""): Response {
  const { text, ...rest } = REFUSALS[why]
  return refusal(visit, { ...rest, text: `${first} ${text}` })
}
