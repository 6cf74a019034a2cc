import { EXPLAINED_REASONS, reasonWords } from "../../../domain/activity/reason-words.ts"
import { headedPage } from "../parts/page-kinds.tsx"
import type { OrganizationVisit } from "../visit.ts"

/** What each reason means, and what to do about it. */
export function reasonsPage(visit: OrganizationVisit): Response {
  const activity = `/app/o/${visit.organization.slug}/feed-activity`
  return headedPage(visit, {
    title: "Why items are rejected",
    active: activity,
    trail: [{ href: activity, label: "Feed activity" }],
    intro: (
      <p class="sub">
        The first reason that applies is given. The <a href="/docs/api">API reference</a> describes every field.
      </p>
    ),
    body: EXPLAINED_REASONS.map((reason) => {
      const { title, explanation } = reasonWords(reason)
      return (
        <section class="card" id={reason} key={reason}>
          <h2>{title}</h2>
          <p>{explanation}</p>
          <p class="soft small">
            In the API: <code>{reason}</code>. <a href={`/docs/integrators#${reason}`}>Examples in the guide</a>
          </p>
        </section>
      )
    }),
  })
}
