import { changeLogo, removeLogo, removeOrganization, saveOrganization } from "../../../actions/organizations.ts"
import {
  LOGO_BYTES_MAX,
  type OrganizationFields,
  organizationVersion,
  readOrganization,
} from "../../../domain/people/organization.ts"
import { logoOf, onlyBuys, organizationById } from "../../../storage/organizations.ts"
import { logoResponse } from "../../assets.ts"
import { goTo } from "../../flash.ts"
import { askFirst } from "../../forms/ask.tsx"
import { confirmationOf, type FormOf } from "../../forms/form.ts"
import type { Page } from "../../page.tsx"
import { AskLink, Card } from "../../parts/blocks.tsx"
import { Question } from "../../parts/choices.tsx"
import { Field, FileField, TextArea } from "../../parts/fields.tsx"
import { Form, PostButton } from "../../parts/form.tsx"
import { homeOf, type MemberVisit, orNotFound } from "../../visit.ts"

const settingsAddress = (visit: MemberVisit) => `${homeOf(visit)}/settings`

interface Settings {
  readonly fields: OrganizationFields
  readonly hasLogo: boolean
}

async function findSettings({ read, organization: { id } }: MemberVisit): Promise<Settings> {
  const stored = orNotFound(await organizationById(read, id))
  const { name, timeZone, address } = stored
  return { fields: { name, timeZone, address }, hasLogo: (await logoOf(read, id)) !== null }
}

const beginSettings = (_: MemberVisit, { fields }: Settings) => ({
  texts: { ...fields },
  version: organizationVersion(fields),
})

export const settingsForm: FormOf<MemberVisit, Settings> = {
  find: findSettings,
  begin: beginSettings,
  view: showSettings,
  async save(visit, { fields }, texts, version) {
    const { context, read: reader, actor, organization } = visit
    const read = readOrganization({ ...fields, ...texts })
    if ("errors" in read) return read
    const isNewZone = read.fields.timeZone !== fields.timeZone
    const isConfirmed = texts[confirmationOf("timeZone")] === ZONE_QUESTION
    if (isNewZone && !isConfirmed && !(await onlyBuys(reader, organization.id)))
      return { questions: { timeZone: ZONE_QUESTION } }
    const saved = orNotFound(await saveOrganization(context, actor, organization.id, texts, version))
    if (saved !== "saved") return saved
    return goTo(visit, settingsAddress(visit), "The settings are saved.")
  },
}

const ZONE_QUESTION =
  "Days will end at a different time, so the days of all lines are recalculated. Earlier days may show different totals."

/** Both forms of the page, one of which was opened or sent. */
function showSettings(visit: MemberVisit, stored: Settings): Page {
  const { organization } = visit
  const { hasLogo } = stored
  const address = settingsAddress(visit)
  const body = (
    <div class="cols">
      <Card title="Details">
        <Form action={address} submit="Save settings" begin={beginSettings(visit, stored)}>
          <Field name="name" label="Name" hint="Buyers see this name on every report." required maxlength={200} />
          <Field
            name="timeZone"
            label="Time zone"
            hint="A city or a zone, such as Berlin or Europe/Berlin. Each day ends at midnight there."
            required
          />
          <Question name="timeZone" label="Change the time zone" />
          <TextArea name="address" label="Address" hint="Printed on statements." maxlength={500} />
        </Form>
      </Card>
      <Card title="Logo">
        {hasLogo && <img class="logo" src={`${homeOf(visit)}/logo`} alt={`Logo of ${organization.name}`} />}
        <Form action={`${address}/logo`} submit="Save logo" begin={{ texts: {} }} hasFile>
          <FileField
            name="logo"
            label="Picture"
            hint={`PNG, JPEG or WebP, at most ${LOGO_BYTES_MAX / 1024} KB. It appears on shared reports and statements.`}
            accept="image/png,image/jpeg,image/webp"
            required
          />
        </Form>
        {hasLogo && <PostButton action={`${address}/logo/remove`} label="Remove logo" kind="quiet danger" />}
      </Card>
      <Card title="Delete">
        <p class="soft">Only an organization without campaigns, lines, keys and statements can be deleted.</p>
        <div class="actions">
          <AskLink
            href={`${address}/delete`}
            label="Delete organization"
            about={`Delete organization: ${organization.name}`}
          />
        </div>
      </Card>
    </div>
  )
  return { title: "Organization", body }
}

export const logoForm: FormOf<MemberVisit, Settings> = {
  find: findSettings,
  view: showSettings,
  bytesMax: LOGO_BYTES_MAX + 65_536,
  async save(visit, _, __, ___, files) {
    const { context, actor, organization } = visit
    const bytes = (await files.get("logo")?.bytes()) ?? new Uint8Array()
    const problem = await changeLogo(context, actor, organization.id, bytes)
    return problem === undefined
      ? goTo(visit, settingsAddress(visit), "The logo is saved.")
      : { errors: { logo: problem } }
  },
}

export async function removeLogoHere(visit: MemberVisit): Promise<Response> {
  await removeLogo(visit.context, visit.actor, visit.organization.id)
  return goTo(visit, settingsAddress(visit), "The logo is removed.")
}

export const logoPicture = ({ read, organization }: MemberVisit): Promise<Response> =>
  logoResponse(read, organization.id)

export const deleteOrganizationForm = askFirst<MemberVisit, null>({
  find: async () => null,
  ask: (visit) => ({
    title: `Delete ${visit.organization.name}?`,
    text: "Its people keep their accounts but can no longer open its pages. This can’t be undone.",
    submit: "Delete",
    cancel: settingsAddress(visit),
  }),
  async act(visit) {
    const { context, actor, organization } = visit
    const { name } = organization
    if ((await removeOrganization(context, actor, organization)) === "in use") {
      const text = `${name} still has campaigns, lines, keys, affiliate codes, products, orders or statements, so it can’t be deleted.`
      return { errors: { "": text } }
    }
    return goTo(visit, "/app", `${name} is deleted.`)
  },
})
