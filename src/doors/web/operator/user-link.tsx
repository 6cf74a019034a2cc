import { PASSWORD_LINK_HOURS, type User } from "../../../domain/people/user.ts"
import { ButtonLink } from "../parts/button-link.tsx"
import { Copyable } from "../parts/copyable.tsx"
import { LinkNote } from "../parts/link-note.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import type { PersonVisit } from "../visit.ts"
import { USERS } from "./navigation.ts"

/** The only page that shows the link. */
export function linkPage(visit: PersonVisit, { name }: Pick<User, "name">, path: string): Response {
  return headedPage(visit, {
    title: "One-time link",
    heading: `Link for ${name}`,
    active: USERS,
    trail: [{ href: USERS, label: "Users" }],
    body: (
      <section class="card">
        <p>
          Send it to {name} over a channel that you trust. It sets the password, works once within{" "}
          {PASSWORD_LINK_HOURS / 24} days, and is shown only once.
        </p>
        <Copyable id="link" label="One-time link" text={visit.origin + path} />
        <LinkNote visit={visit} />
        <div class="actions">
          <ButtonLink href={USERS} label="Back to users" />
        </div>
      </section>
    ),
  })
}
