import { page } from "../respond.ts"
import type { OrganizationVisit, Visit } from "../visit.ts"

/** The same for what is missing and for what is somebody else's. */
export function pageNotFound(visit: Visit): Response {
  return page(visit, {
    status: 404,
    title: "Not found",
    body: (
      <Refusal title="There is nothing here">
        <p>The address may be mistyped, or what it named may be gone.</p>
      </Refusal>
    ),
  })
}

/** For somebody of the organization whose role does not reach so far. */
export function pageNotYours(visit: OrganizationVisit): Response {
  return page(visit, {
    status: 403,
    title: "For admins",
    body: (
      <Refusal title="This is for admins">
        <p>An admin of {visit.organization.name} can do this, or give you the role.</p>
      </Refusal>
    ),
  })
}

export function pageFromElsewhere(visit: Visit): Response {
  return page(visit, {
    status: 403,
    title: "Not from here",
    body: (
      <Refusal title="This did not come from our own pages">
        <p>Nothing was changed. Open the app again and repeat what you wanted to do.</p>
      </Refusal>
    ),
  })
}

export function pageBroken(visit: Visit, requestId: string): Response {
  return page(visit, {
    status: 500,
    title: "Our fault",
    body: (
      <Refusal title="Something went wrong on our side">
        <p>
          It is in our log as <code>{requestId}</code>. Please try again.
        </p>
      </Refusal>
    ),
  })
}

export function pageTooLarge(visit: Visit, most: string): Response {
  return page(visit, {
    status: 413,
    title: "Too large",
    body: (
      <Refusal title="That is too large">
        <p>At most {most} are taken at once. Split it and send the parts one after the other.</p>
      </Refusal>
    ),
  })
}

export function pageTooSlow(visit: Visit): Response {
  return page(visit, {
    status: 408,
    title: "Too slow",
    headers: { Connection: "close" },
    body: (
      <Refusal title="That did not arrive in time">
        <p>Nothing was changed. Please send it again.</p>
      </Refusal>
    ),
  })
}

function Refusal({ title, children }: { readonly title: string; readonly children: preact.ComponentChildren }) {
  return (
    <section class="empty">
      <h1>{title}</h1>
      {children}
      <p>
        <a class="button" href="/app">
          Go to the start
        </a>
      </p>
    </section>
  )
}
