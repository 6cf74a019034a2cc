import type { SetUpStep } from "../../../actions/operations/set-up-steps.ts"
import type { SetUpProgress } from "../../../storage/port/store.ts"
import { AGENT_KEYS, OPENINGS, ORGANIZATIONS, PRODUCTS } from "./navigation.ts"

type StepText = Readonly<{ title: string; why: string; href: (organization: string | null) => string }>

const inOrganization = (place: string) => (slug: string | null) =>
  slug === null ? `${ORGANIZATIONS}/new` : `/app/o/${slug}/${place}`

const STEPS: Readonly<Record<keyof SetUpProgress, StepText>> = {
  organization: {
    title: "Add the organization that sells",
    why: "Campaigns, keys and people belong to it.",
    href: () => `${ORGANIZATIONS}/new`,
  },
  line: {
    title: "Add a campaign with its lines",
    why: "Delivery is reported for lines.",
    href: inOrganization("campaigns"),
  },
  ingestKey: {
    title: "Create an API key",
    why: "Your systems use it to send delivery totals.",
    href: inOrganization("keys"),
  },
  delivery: {
    title: "Report the first delivery",
    why: "By API, or with the form on the campaign's page.",
    href: inOrganization("campaigns"),
  },
  product: {
    title: "Describe a product",
    why: "Buyers' agents find it through the sales agent.",
    href: () => `${PRODUCTS}/new`,
  },
  agentKey: { title: "Create an agent key", why: "One for each buyer.", href: () => AGENT_KEYS },
  opening: { title: "Open the product to the key", why: "Nobody sees it until then.", href: () => OPENINGS },
}

type ChecklistProps = Readonly<{ steps: readonly SetUpStep[]; organization: string | null }>

/** What is left to do in a new installation. It disappears when everything is done. */
export function Checklist({ steps, organization }: ChecklistProps) {
  const next = steps.find(({ done }) => !done)?.step
  const count = steps.filter(({ done }) => done).length
  return (
    <section class="card checklist" aria-labelledby="checklist">
      <h2 id="checklist">
        Set up <span class="soft">{`${count} of ${steps.length} done`}</span>
      </h2>
      <ol>
        {steps.map(({ step, done }) => {
          const { title, why, href } = STEPS[step]
          return (
            <li key={step} class={done ? "done" : undefined}>
              <span class="tick" aria-hidden="true">
                {done ? "✓" : ""}
              </span>
              <div>
                {done ? (
                  <>
                    {title} <span class="vh">(done)</span>
                  </>
                ) : (
                  <a href={href(organization)} class={step === next ? "next" : undefined}>
                    {title}
                  </a>
                )}
                {!done && <p class="soft">{why}</p>}
              </div>
            </li>
          )
        })}
      </ol>
    </section>
  )
}
