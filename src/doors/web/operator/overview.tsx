import { type SetUpStep, setUpSteps } from "../../../actions/set-up-steps.ts"
import type { SetUpProgress } from "../../../storage/store.ts"
import { Heading } from "../parts/bits.tsx"
import { page } from "../respond.ts"
import { forOperator } from "../route.ts"
import type { PersonVisit } from "../visit.ts"
import { AGENT_KEYS, AUDIT, CALLS, OPENINGS, OPERATOR, ORGANIZATIONS, PRODUCTS, SYSTEM, USERS } from "./navigation.ts"

interface StepText {
  readonly title: string
  readonly why: string
  readonly href: (organization: string | null) => string
}

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
    why: "The system that counts delivery sends its totals with it.",
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
  opening: {
    title: "Open the product to the key",
    why: "Until then nobody sees it.",
    href: () => OPENINGS,
  },
}

async function show(visit: PersonVisit): Promise<Response> {
  const { store } = visit.context
  const [steps, organizations] = await Promise.all([setUpSteps(visit.context), store.organizations.list()])
  return page(visit, {
    title: "Overview",
    active: OPERATOR,
    body: (
      <>
        <Heading title={`Hello, ${visit.person.name}`}>
          <p class="soft">You run this installation.</p>
        </Heading>
        {steps !== null && <Checklist steps={steps} organization={organizations[0]?.slug ?? null} />}
        <Places />
      </>
    ),
  })
}

interface ChecklistProps {
  readonly steps: readonly SetUpStep[]
  readonly organization: string | null
}

/** What is left to do in a new installation. It is gone when everything is done. */
function Checklist({ steps, organization }: ChecklistProps) {
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
                    {title} <span class="unseen">(done)</span>
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

const PLACES: readonly { readonly href: string; readonly title: string; readonly text: string }[] = [
  { href: ORGANIZATIONS, title: "Organizations", text: "Who sells and buys here." },
  { href: USERS, title: "Users", text: "Who may sign in, and as what." },
  { href: PRODUCTS, title: "Products", text: "What buyers' agents can find." },
  { href: OPENINGS, title: "Openings", text: "Which key sees which product, and where." },
  { href: CALLS, title: "Agent calls", text: "What agents asked, and what they got." },
  { href: AUDIT, title: "Audit trail", text: "Who changed what, and when." },
  { href: SYSTEM, title: "System", text: "How the installation is doing." },
]

function Places() {
  return (
    <ul class="places">
      {PLACES.map(({ href, title, text }) => (
        <li key={href}>
          <a class="card" href={href}>
            <strong>{title}</strong>
            <span class="soft">{text}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

export const overviewRoutes = [forOperator("GET", OPERATOR, show)]
