import { PASSWORD_LINK_HOURS, type User } from "../../../domain/people/user.ts"
import { LinkNote } from "../parts/link-note.tsx"
import { Copyable, Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import type { PersonVisit } from "../visit.ts"
import { USERS } from "./navigation.ts"

/** The link is on this page and nowhere else. */
export function linkPage(visit: PersonVisit, { name }: Pick<User, "name">, path: string): Response {
  return page(visit, {
    title: "One-time link",
    active: USERS,
    body: (
      <>
        <Heading title={`A link for ${name}`} trail={[{ href: USERS, label: "Users" }]} />
        <section class="card">
          <p>
            Send it to {name} over a channel that you trust. It sets the password, works once and within{" "}
            {PASSWORD_LINK_HOURS / 24} days, and is shown only now.
          </p>
          <Copyable id="link" label="One-time link" text={visit.origin + path} />
          <LinkNote visit={visit} />
          <div class="actions">
            <a class="button" href={USERS}>
              Back to the users
            </a>
          </div>
        </section>
      </>
    ),
  })
}
