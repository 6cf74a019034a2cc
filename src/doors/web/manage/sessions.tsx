import { endSession } from "../../../actions/people/sessions.ts"
import { deviceOf } from "../../../domain/people/device.ts"
import type { ListedSession } from "../../../storage/port/store.ts"
import { pageNotFound } from "../pages/error-pages.tsx"
import { Badge } from "../parts/badge.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { type Column, Table } from "../parts/table/table.tsx"
import { Time } from "../parts/time.tsx"
import { done, goTo } from "../respond.ts"
import { forSignedIn } from "../route.ts"
import { idParam, type PersonVisit } from "../visit.ts"

const SESSIONS = "/app/account/sessions"

const COLUMNS: readonly Column<ListedSession>[] = [
  {
    title: "Device",
    cell: ({ userAgent, isCurrent }) => (
      <>
        {deviceOf(userAgent)} {isCurrent && <Badge tone="good">This one</Badge>}
      </>
    ),
  },
  { title: "Address", value: ({ address }) => address ?? "Unknown" },
  { title: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Actions",
    phone: "actions",
    cell: ({ id, userAgent }) => (
      <form method="post" action={`${SESSIONS}/${id}/end`}>
        <button class="button quiet" type="submit" aria-label={`End the session of ${deviceOf(userAgent)}`}>
          End
        </button>
      </form>
    ),
  },
]

async function sessionsPage(visit: PersonVisit): Promise<Response> {
  const { person, now, sessionHash } = visit
  const sessions = await visit.context.store.sessions.list(person.userId, now, sessionHash)
  return headedPage(visit, {
    title: "Sessions",
    active: "/app/account",
    trail: [{ href: "/app/account", label: "Your account" }],
    intro: "Where you are signed in. End what you do not recognize, then change your password.",
    body: <Table caption="Sessions" columns={COLUMNS} rows={sessions} rowKey={({ id }) => id} />,
  })
}

async function end(visit: PersonVisit): Promise<Response> {
  const id = idParam(visit, "session")
  const isDone = id !== null && (await endSession(visit.context, visit.person.userId, id))
  return isDone ? goTo(visit, SESSIONS, done("The session has ended.")) : pageNotFound(visit)
}

export const sessionRoutes = [
  forSignedIn("GET", SESSIONS, sessionsPage),
  forSignedIn("POST", `${SESSIONS}/:session/end`, end),
]
