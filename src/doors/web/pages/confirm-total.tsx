import type { TotalOutcome } from "../../../actions/delivery/report-total.ts"
import type { DeliveryTotal } from "../../../domain/delivery/delivery.ts"
import { Banner } from "../parts/banner.tsx"
import { Fact, Facts } from "../parts/facts.tsx"
import { HiddenInputs } from "../parts/form/form.tsx"
import { formatNumber } from "../parts/format.tsx"
import { headedPage } from "../parts/page-kinds.tsx"
import { questionText } from "../parts/question-text.ts"
import { Time } from "../parts/time.tsx"
import { campaignsOf, trailTo } from "./campaign.tsx"
import type { ReportTyped } from "./report-delivery.tsx"
import type { LineVisit } from "./with-line.ts"

type Asked = TotalOutcome & { readonly outcome: "asked" }

interface ConfirmTotalProps {
  readonly place: LineVisit
  readonly typed: ReportTyped
  readonly asked: Asked
  /** Whether the question was answered before, but the current total has changed since. */
  readonly again: boolean
}

/** Asks before a total that looks like a mistake is saved: shows the current and the new total. */
export function confirmTotalPage({ place, typed, asked, again }: ConfirmTotalProps): Response {
  const { visit, line, campaign, href } = place
  return headedPage(visit, {
    title: `Check this total, ${line.name}`,
    heading: "Please check this total",
    active: campaignsOf(visit),
    trail: [...trailTo(visit, campaign), { href, label: line.name }],
    body: (
      <section class="card narrow stack">
        {again && (
          <Banner tone="bad" live>
            <p>The current total has changed in the meantime. Nothing was saved; please check again.</p>
          </Banner>
        )}
        <Banner tone="warn">
          {asked.questions.map((question) => (
            <p key={question.kind}>{questionText(question, asked.total.quantity, line.seller.timeZone)}</p>
          ))}
        </Banner>
        <BeforeAndAfter place={place} asked={asked} />
        <form method="post" action={`${href}/report#report`} class="actions">
          <HiddenInputs values={{ ...typed, answer: asked.answer }} />
          <button type="submit" class="button primary" name="change" value="yes">
            Change it
          </button>
          <button type="submit" class="button danger">
            {line.pricingBasis === "flat_rate"
              ? "Mark as delivered anyway"
              : `Report ${formatNumber(asked.total.quantity)} anyway`}
          </button>
        </form>
      </section>
    ),
  })
}

function BeforeAndAfter({ place: { line }, asked: { total } }: Pick<ConfirmTotalProps, "place" | "asked">) {
  if (line.pricingBasis === "flat_rate") return null
  const { before } = total
  const isLate = before !== null && total.asOf < before.asOf
  return (
    <Facts>
      <Fact term="Current total">{before === null ? "Nothing reported yet" : <Total total={before} />}</Fact>
      <Fact term={isLate ? "You typed" : "New total"}>
        <Total total={total} />
      </Fact>
    </Facts>
  )
}

function Total({ total }: { readonly total: DeliveryTotal }) {
  return (
    <>
      {formatNumber(total.quantity)}
      <small>
        Measured <Time at={total.asOf} />
      </small>
    </>
  )
}
