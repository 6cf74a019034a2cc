import type { TotalOutcome } from "../../../actions/delivery/report-total.ts"
import { inNumbers, Time } from "../parts/format.tsx"
import { questionInWords } from "../parts/question-words.ts"
import { Heading } from "../parts/widgets.tsx"
import { page } from "../respond.ts"
import type { LinePlace } from "./line-place.ts"
import type { ReportTyped } from "./report-delivery.tsx"

type Asked = TotalOutcome & { readonly outcome: "asked" }

interface ConfirmTotalProps {
  readonly place: LinePlace
  readonly typed: ReportTyped
  readonly asked: Asked
  /** Whether an earlier answer no longer fits, because the current total has moved since. */
  readonly again: boolean
}

/** The question before a total that looks like a slip: what stands, what it would become, and both ways on. */
export function confirmTotalPage({ place, typed, asked, again }: ConfirmTotalProps): Response {
  const { visit, line, campaign, href } = place
  const campaigns = `/app/o/${visit.organization.slug}/campaigns`
  return page(visit, {
    title: `Check this total, ${line.name}`,
    active: campaigns,
    body: (
      <>
        <Heading
          title="Please check this total"
          trail={[
            { href: campaigns, label: "Campaigns" },
            { href: `${campaigns}/${campaign.slug}`, label: campaign.name },
            { href, label: line.name },
          ]}
        />
        <section class="card narrow stack">
          {again && (
            <p class="flash problem" role="alert">
              The current total has changed in the meantime. Nothing was saved; please check again.
            </p>
          )}
          <ul class="questions">
            {asked.questions.map((question) => (
              <li key={question.kind}>{questionInWords(question, asked.total.quantity, line.seller.timeZone)}</li>
            ))}
          </ul>
          <BeforeAndAfter place={place} asked={asked} />
          <form method="post" action={`${href}/report#report`} class="actions">
            {Object.entries({ ...typed, answer: asked.answer }).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <button type="submit" class="primary" name="change" value="yes">
              Change it
            </button>
            <button type="submit" class="danger">
              {line.pricingBasis === "flat_rate"
                ? "Mark as delivered anyway"
                : `Report ${inNumbers(asked.total.quantity)} anyway`}
            </button>
          </form>
        </section>
      </>
    ),
  })
}

function BeforeAndAfter({ place: { line }, asked: { total } }: Pick<ConfirmTotalProps, "place" | "asked">) {
  if (line.pricingBasis === "flat_rate") return null
  const { before, quantity, asOf } = total
  const zone = line.seller.timeZone
  const isLate = before !== null && asOf < before.asOf
  return (
    <dl class="facts">
      <div>
        <dt>Current total</dt>
        <dd>
          {before === null ? (
            "Nothing reported yet"
          ) : (
            <>
              {inNumbers(before.quantity)}
              <div class="soft">
                Measured <Time at={before.asOf} zone={zone} />
              </div>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>{isLate ? "You typed" : "New total"}</dt>
        <dd>
          {inNumbers(quantity)}
          <div class="soft">
            Measured <Time at={asOf} zone={zone} />
          </div>
        </dd>
      </div>
    </dl>
  )
}
