import type { ComponentChildren } from "preact"
import { namedContact } from "../../../actions/operations/agent-settings.ts"
import { sentence } from "../../../domain/user-error.ts"
import { Letterhead } from "../parts/blocks.tsx"
import { type Page, page } from "../respond.tsx"
import type { Visit } from "../visit.ts"
import { RunsOn } from "./runs-on.tsx"
import { sellerWithLogo } from "./seller-with-logo.ts"

/** Whose paper somebody with a link gets. */
export type Paper = Awaited<ReturnType<typeof paperOf>>

/** That of the seller; where there are several and none is known, of the person who is asked about orders. */
export async function paperOf(visit: Visit, sellerId: number | null, link: string) {
  const { name, logo = null, timeZone = visit.zone } = (await sellerWithLogo(visit, sellerId, link)) ?? {}
  const contact = await namedContact(visit.context.store)
  return { sellerId, name: name ?? contact ?? new URL(visit.origin).host, logo, zone: timeZone, contact }
}

type PaperPage = Omit<Page, "body" | "shape" | "zone"> &
  Readonly<{ paper: Paper; actions?: ComponentChildren; children: ComponentChildren }>

/** A page for a visitor with a link. */
export const paperPage = (visit: Visit, { paper, actions, children, ...rest }: PaperPage): Response =>
  page(visit, {
    ...rest,
    shape: "sheet",
    zone: paper.zone,
    body: (
      <article class="stack">
        <Letterhead logo={paper.logo} name={paper.name}>
          {actions && <div class="actions no-print">{actions}</div>}
        </Letterhead>
        {children}
        {paper.contact !== null && <p class="hint">Questions about your order? {sentence(paper.contact)}</p>}
        <RunsOn visit={visit} />
      </article>
    ),
  })
