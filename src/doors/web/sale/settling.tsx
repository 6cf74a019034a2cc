import type { Organization } from "../../../domain/people/organization.ts"
import { stateLine, sumsOf, totalsOf } from "../../../domain/sale/statement.ts"
import { dayOf } from "../../../domain/time/time-zone.ts"
import type { ShownCampaign, Statement } from "../../../storage/port/store.ts"
import { ButtonLink, Card, LookBadge, type Todo } from "../parts/blocks.tsx"
import { formatDate } from "../parts/format.tsx"
import { BareTable, type Column } from "../parts/table.tsx"
import { sumsInWords } from "../parts/terms.tsx"
import type { OrganizationVisit } from "../visit.ts"
import type { ToSettle } from "./scope.ts"
import { STATEMENT_LOOKS } from "./sheet.tsx"

export function settleTodo({ slug }: Organization, rows: ToSettle): Todo {
  const [first] = rows
  const worth = sumsInWords(sumsOf(rows.map(({ line, total }) => stateLine({ ...line, total }, false))))
  return {
    key: `settle ${first?.campaign.slug}`,
    tone: "good",
    icon: "check",
    subject: first?.campaign.name ?? "",
    what: "has ended and can be settled",
    text: `${first?.buyer}${worth === "" ? "" : `, ${worth} delivered`}. The last totals are in.`,
    href: `/app/o/${slug}/campaigns/${first?.campaign.slug}/statements/new`,
    action: "Settle",
  }
}

/** The seller sees its own, also drafts; the buyer those that are frozen. */
export const statementsFor = ({ context, organization }: OrganizationVisit, campaign: ShownCampaign) =>
  context.store.statements.list([campaign.id], campaign.sells ? organization.id : null)

/** Statements of a campaign below its lines, with their addresses below `base`. */
export function StatementsCard({
  statements,
  base,
  maySettle,
}: Readonly<{ statements: readonly Statement[]; base: string; maySettle: boolean }>) {
  if (statements.length === 0 && !maySettle) return null
  const columns: Column<Statement>[] = [
    { title: "Number", value: ({ number }) => number ?? "Not frozen", href: ({ id }) => `${base}/${id}` },
    { title: "State", phone: "corner", cell: ({ state }) => <LookBadge look={STATEMENT_LOOKS[state]} /> },
    {
      title: "Made",
      cell: ({ frozenAt, body }) => (frozenAt === null || body === null ? "–" : formatDate(dayOf(frozenAt, body.zone))),
    },
    { title: "Total", numeric: true, cell: ({ body }) => body && sumsInWords(totalsOf(body)) },
  ]
  return (
    <Card
      flush
      title="Statements"
      actions={
        maySettle && (
          <ButtonLink small href={`${base}/new`} label={statements.length === 0 ? "Settle" : "New statement"} />
        )
      }
    >
      {statements.length === 0 ? (
        <p class="card-foot">What was delivered and what it comes to, frozen for the buyer.</p>
      ) : (
        <BareTable caption="Statements of this campaign" columns={columns} rows={statements} rowKey={({ id }) => id} />
      )}
    </Card>
  )
}
