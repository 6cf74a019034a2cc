import type { ComponentChildren } from "preact"
import { nameContact, namedContact } from "../../../actions/operations/agent-settings.ts"
import { createOrganization } from "../../../actions/people/organizations.ts"
import { contactError } from "../../../domain/adcp/contact.ts"
import { TIME_ZONE_DEFAULT } from "../../../domain/people/organization.ts"
import { slugOf } from "../../../domain/text/short-text.ts"
import { type Errors, readForm } from "../form.ts"
import { SELLERS, SYSTEM } from "../frame/navigation.ts"
import type { PageAnswer } from "../guards.ts"
import { forAdmin, forOperator, forSignedIn } from "../guards.ts"
import { ButtonLink, Door, Empty } from "../parts/blocks.tsx"
import { ContactField, Field, Form, SlugField, TimeZoneField } from "../parts/form/form.tsx"
import { DoorCard, Steps } from "../parts/page.tsx"
import { goTo, headedPage, page } from "../respond.tsx"
import type { OrganizationVisit, PersonVisit, Visit } from "../visit.ts"

const SET_UP = "/app/set-up"

const STEPS = ["Your booth", "First campaign", "Delivery"]
export const CURRENCIES = ["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "CAD", "AUD"]

type StepPage = Readonly<{ step: number; title: string; text: string; children: ComponentChildren }>

const stepPage = (visit: Visit, { step, title, text, children }: StepPage): Response =>
  page(visit, {
    title,
    shape: "alone",
    body: (
      <DoorCard title={title} beside={<Steps steps={STEPS} current={step} />}>
        <p class="soft">{text}</p>
        {children}
      </DoorCard>
    ),
  })

type Typed = Readonly<{ name: string; slug: string; timeZone: string; currency: string; contact: string }>

const NEW = { name: "", slug: "", timeZone: TIME_ZONE_DEFAULT, currency: "" }

const BOOTH_FORM = { action: SET_UP, submit: "Continue", cancel: SYSTEM, cancelLabel: "Skip set-up" }
const NAME = { autocomplete: "organization", hint: "Buyers see this name on every report." }

const lacksContact = async ({ context: { store } }: Visit) => (await namedContact(store)) === null

const boothPage = async (visit: PersonVisit, typed?: Typed, errors: Errors = {}): Promise<Response> =>
  stepPage(visit, {
    step: 0,
    title: "Set up your booth",
    text: "It takes a minute.",
    children: (
      <Form {...BOOTH_FORM} values={typed ?? { ...NEW, contact: visit.person.email }} errors={errors}>
        <Field name="name" label="What name do you sell under?" required maxlength={200} {...NAME} />
        <div class="fields">
          <TimeZoneField data-zone="" hint="Each day ends at midnight in this zone." />
          <Field
            name="currency"
            label="Currency"
            maxlength={3}
            list={CURRENCIES}
            hint="New lines start with it, such as EUR."
          />
        </div>
        {(await lacksContact(visit)) && <ContactField label="Whom should buyers ask?" />}
        <SlugField errors={errors} />
      </Form>
    ),
  })

async function makeBooth(visit: PersonVisit): Promise<Response> {
  const form = await readForm(visit.request)
  const fields = form.texts("name", "slug", "time_zone", "currency", "contact")
  const { name, slug: given, time_zone: timeZone, currency, contact } = fields
  const slug = given === "" ? slugOf(name) : given
  const booth = { name, slug, timeZone, currency: currency.toUpperCase() }
  const refused = (errors: Errors) => boothPage(visit, { name, slug: given, timeZone, currency, contact }, errors)
  // A program that fills in the form may know nothing of it: it can be named later.
  const isNamed = form.has("contact") && (await lacksContact(visit))
  const problem = isNamed ? contactError(contact) : undefined
  if (problem !== undefined) return refused({ contact: problem })
  const errors = await createOrganization(visit.context, booth, visit.actor, visit.person.userId)
  if (Object.keys(errors).length > 0) return refused(errors)
  if (isNamed) await nameContact(visit.context, contact, visit.actor)
  return goTo(visit, `/app/o/${slug}/new-campaign?set-up`)
}

/** Whether a campaign is made on the way through the set-up. */
export const isFirstRun = ({ url }: Visit) => url.searchParams.has("set-up")

export const totalsStepOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/set-up`

export const firstCampaignPage = (visit: OrganizationVisit, form: ComponentChildren): Response =>
  stepPage(visit, {
    step: 1,
    title: "Your first campaign",
    text: "Who bought, and what did you promise? One line is enough to start.",
    children: form,
  })

function totalsPage(visit: OrganizationVisit): Response {
  const base = `/app/o/${visit.organization.slug}`
  return stepPage(visit, {
    step: 2,
    title: "Get totals in",
    text: "How will you tell Adbooth what was delivered? You can mix these and change your mind.",
    children: [
      <nav class="doors" aria-label="Ways to report">
        <Door
          href={`${base}/totals`}
          icon="edit"
          title="Type them"
          text="All running lines on one page, a minute each morning. Best for up to 20 lines."
        />
        <Door
          href={`${base}/upload`}
          icon="upload"
          title="Upload a file"
          text="Use the export of your ad server or podcast host as it is. Match the columns once."
        />
        <Door
          href={`${base}/keys`}
          icon="key"
          title="Connect your ad server"
          text="Create an API key, and your system sends totals by itself, every hour if you like."
        />
      </nav>,
      <p>
        <ButtonLink kind="primary" href={base} label="Go to Today" />
      </p>,
    ],
  })
}

/** Only while nobody sells: later organizations are added under System. */
const whileNew = (answer: (visit: PersonVisit) => PageAnswer) => async (visit: PersonVisit) =>
  (await visit.context.store.organizations.sellers(1)).length > 0 ? goTo(visit, "/app") : answer(visit)

/** The start page: all sellers for an operator who has several; else the home of the organization that somebody looked at last, or of the first. */
function start(visit: PersonVisit): Response {
  const { place, person, flash } = visit
  if (person.isOperator && place?.hasSeveralSellers === true) return goTo(visit, SELLERS, flash ?? undefined)
  if (place?.organization != null) return goTo(visit, `/app/o/${place.organization.slug}`, flash ?? undefined)
  if (person.isOperator) return goTo(visit, SET_UP, flash ?? undefined)
  return headedPage(visit, {
    title: "Welcome",
    heading: `Welcome, ${person.name}`,
    body: (
      <Empty
        title="You do not belong to an organization yet"
        text="The operator of this installation can add you to one."
      />
    ),
  })
}

export const firstRunRoutes = [
  forSignedIn("GET", "/app", start),
  forOperator("GET", SET_UP, whileNew(boothPage)),
  forOperator("POST", SET_UP, whileNew(makeBooth)),
  forAdmin("GET", "/app/o/:org/set-up", totalsPage),
]
