import { openOrganization } from "../../../actions/organizations.ts"
import { sellers } from "../../../storage/organizations.ts"
import { goTo } from "../../flash.ts"
import type { FormOf } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { ButtonLink } from "../../parts/blocks.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { Icon } from "../../parts/icon.tsx"
import { SlugField, ZoneField } from "../../parts/people.tsx"
import { homeOf, type MemberVisit, NotFound, type SignedInVisit, type Visit } from "../../visit.ts"

/** The first step of a new server: who sells here. Later organizations are added under Organizations. */
export const setUpForm: FormOf<SignedInVisit, null> = {
  async find({ read }) {
    if ((await sellers(read, 1)).length > 0) throw new NotFound()
    return null
  },
  begin: () => ({ texts: { timeZone: "UTC" } }),
  view: (visit, _, form) =>
    page(withoutMenu(visit), {
      title: "Set up your organization",
      intro: "Step 1 of 3. It takes a minute, and you can change most of it later.",
      isCard: true,
      form,
      body: (
        <Form submit="Continue" cancel="/app/operator/system">
          <Field
            name="name"
            label="What name do you sell under?"
            hint="Buyers see this name on every report."
            required
            maxlength={200}
            autocomplete="organization"
          />
          <ZoneField hint="Each day ends at midnight in this zone." />
          <SlugField />
        </Form>
      ),
    }),
  async save(visit, _, { name = "", timeZone = "", slug = "" }) {
    const { context, actor, user } = visit
    const opened = await openOrganization(context, actor, { name, timeZone, slug, address: "" }, user.id)
    if ("errors" in opened) return opened
    return goTo(visit, `/app/o/${opened.slug}/new-campaign?set-up`)
  },
}

/** The steps are cards below the awning. A menu would distract from them. */
const withoutMenu = <V extends Visit>(visit: V): V => ({ ...visit, menu: null })

const WAYS = [
  {
    path: "/totals",
    icon: "edit",
    title: "Type them",
    text: "All running lines on one page, a minute each morning. Best for up to 20 lines.",
  },
  {
    path: "/upload",
    icon: "upload",
    title: "Upload a file",
    text: "Use the export of your ad server or podcast host as it is. Match the columns once.",
  },
  {
    path: "/keys",
    icon: "key",
    title: "Connect your ad server",
    text: "Create an API key, and your system sends totals by itself, every hour if you like.",
  },
] as const

/** The last step: how totals get in. */
export function setUpPage(visit: MemberVisit): Response {
  const home = homeOf(visit)
  return page(withoutMenu(visit), {
    title: "Get totals in",
    intro: "Step 3 of 3. How will you tell Adbooth what was delivered? You can mix these and change your mind.",
    isCard: true,
    body: (
      <>
        <nav class="doors" aria-label="Ways to report">
          {WAYS.map(({ path, icon, title, text }) => (
            <a href={home + path}>
              <Icon name={icon} />
              <span>
                <b>{title}</b>
                <small>{text}</small>
              </span>
              <Icon name="arrow" />
            </a>
          ))}
        </nav>
        <div class="actions">
          <ButtonLink kind="primary" href={home} label="Go to Today" />
        </div>
      </>
    ),
  })
}
