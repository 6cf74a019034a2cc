import { PASSWORD_LINK_HOURS, type User } from "../../../domain/people/user.ts"
import { showOnce } from "../once/shown-once.tsx"
import type { PersonVisit } from "../visit.ts"
import { OPERATOR, USERS } from "./navigation.ts"

/** The only page that shows the link. */
export function linkPage(visit: PersonVisit, { name }: Pick<User, "name">, path: string): Response {
  const days = PASSWORD_LINK_HOURS / 24
  return showOnce(visit, OPERATOR, {
    title: "One-time link",
    heading: `Link for ${name}`,
    active: USERS,
    trail: [{ href: USERS, label: "Users" }],
    text: `Send it to ${name} over a channel that you trust. It sets the password, works once within ${days} days, and is shown only once.`,
    secrets: [{ id: "link", label: "One-time link", text: visit.origin + path }],
    isLink: true,
    done: { href: USERS, label: "Back to users" },
  })
}
