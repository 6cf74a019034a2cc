import { namedContact } from "../../../actions/operations/agent-settings.ts"
import { contactWords } from "../../../domain/adcp/contact.ts"
import { Door } from "../parts/blocks.tsx"
import { isUnclaimed, unclaimedPage } from "../sign-in/unclaimed.tsx"
import type { Visit } from "../visit.ts"
import { outerPage } from "./stranger-pages.tsx"

const REFUSED = { status: 405, headers: { Allow: "POST" } }

/** The address of the sales agent, in a browser. The method stays refused, as for programs. */
export async function frontPage(visit: Visit): Promise<Response> {
  const { store, agentAt } = visit.context
  if (await isUnclaimed(visit).catch(() => false)) return unclaimedPage(visit, REFUSED)
  const { needsKey } = contactWords(await namedContact(store), agentAt(visit.url))
  return outerPage(visit, (seller) => ({
    title: "Sales agent",
    ...REFUSED,
    heading: seller === null ? "Advertising is sold here" : `${seller} sells advertising here`,
    text: `This address is for programs: buyers' AI agents ask in plain words what they can book. ${needsKey}`,
    below: (
      <nav class="doors" aria-label="Where to go">
        {doorsFor(seller).map((door) => (
          <Door {...door} />
        ))}
      </nav>
    ),
  }))
}

const GUIDE_DOORS = [
  { href: "/docs/buyers", icon: "book", title: "Developer guide for buyers", text: "Connect an agent, with examples" },
  { href: "/docs", icon: "info", title: "All guides", text: "Also for sellers and operators, with the API reference" },
] as const

function doorsFor(seller: string | null) {
  const text = `For ${seller === null ? "sellers" : `the people of ${seller}`} and their buyers`
  return [{ href: "/app", icon: "people", title: "Sign in", text } as const, ...GUIDE_DOORS]
}
