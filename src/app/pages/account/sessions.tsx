import { deviceOf } from "../../../domain/people/session.ts"
import type { ListedSession } from "../../../storage/people/sessions.ts"
import { Badge } from "../../parts/blocks.tsx"
import { PostButton } from "../../parts/form.tsx"
import { Ago, Time } from "../../parts/format.tsx"
import type { Column } from "../../parts/table.tsx"

const deviceIn = ({ userAgent }: ListedSession) => deviceOf(userAgent ?? "")

/** `hash` belongs to the session that looks at the list. */
export const sessionColumns = (hash: string): Column<ListedSession>[] => [
  {
    title: "Browser",
    cell: (session) => (
      <span class="with">
        {deviceIn(session)} {session.tokenHash === hash && <Badge tone="good">This one</Badge>}
      </span>
    ),
  },
  { title: "Address", cell: ({ address }) => address || "Unknown" },
  { title: "Signed in", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Last used", cell: ({ lastSeenAt }) => <Ago at={lastSeenAt} /> },
  {
    title: "Actions",
    onPhone: "actions",
    cell: (session) => {
      if (session.tokenHash === hash) return null
      const about = `Sign out ${deviceIn(session)}`
      const action = `/app/account/sessions/${session.id}/end`
      return <PostButton action={action} label="Sign out" kind="quiet" isSmall about={about} />
    },
  },
]
