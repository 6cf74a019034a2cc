import { recordAffiliateCodes } from "../../../actions/delivery/record-affiliates.ts"
import { refusalInWords } from "../../../domain/affiliate/affiliate-report.ts"
import { AFFILIATE_CODE_CHARACTERS_MAX, AFFILIATE_SLUG_CHARACTERS_MAX } from "../../../domain/limits.ts"
import { compareNames } from "../../../domain/lists/list-query.ts"
import type { CodeFigures } from "../../../storage/port/store.ts"
import { campaignsOf } from "../campaigns/with-line.ts"
import { type Errors, readForm } from "../form.ts"
import { forMember } from "../guards.ts"
import { ButtonLink, Empty } from "../parts/blocks.tsx"
import { Checkbox, type Choice, Select } from "../parts/form/choices.tsx"
import { Field, Form } from "../parts/form/form.tsx"
import { done, goTo, headedPage } from "../respond.tsx"
import { reporterOf } from "../totals/entered.ts"
import type { OrganizationVisit } from "../visit.ts"

export const baseOf = ({ organization }: OrganizationVisit) => `/app/o/${organization.slug}/affiliates`

type Typed = Readonly<Record<"line" | "code" | "slug" | "move", string>>

// A list that opens is no use with more; those codes come from a file.
const LINES_OFFERED = 500

const EVER = { from: "0000-01-01", to: "9999-12-31" }

async function linesOf({ context, organization }: OrganizationVisit): Promise<Choice[]> {
  const lines = await context.store.campaigns.inFlight(organization.id, { ...EVER, limit: LINES_OFFERED })
  const choices = lines.map((line) => ({ value: line.packageId, label: `${line.name} (${line.campaign.name})` }))
  return choices.sort((a, b) => compareNames(a.label, b.label))
}

/** The line that a code of the organization points to now. */
async function lineOf({ context, organization }: OrganizationVisit, code: string): Promise<CodeFigures | undefined> {
  const { items: codes } = await context.store.affiliates.codesSold(organization.id, [code])
  const [sold] = codes
  if (sold === undefined) return undefined
  const scope = { organizationIds: [organization.id], codeId: sold.codeId }
  return (await context.store.affiliateFigures.figures(scope)).codes.find(({ isCurrent }) => isCurrent)
}

/** What a seller who moves a code has to confirm: this code, to this line. */
const moveToConfirm = ({ code, line }: Typed) => `${code} ${line}`

const CODE_HINT = "As customers type it, such as AUTUMN10. Capital letters matter."
const SLUG_HINT = "Links may use it in place of the code, such as autumn-10."

async function codePage(visit: OrganizationVisit, typed: Typed, errors: Errors = {}): Promise<Response> {
  const base = baseOf(visit)
  const lines = await linesOf(visit)
  const moveLabel = `Move ${typed.code} to this line`
  return headedPage(visit, {
    title: "New affiliate code",
    trail: [{ href: base, label: "Affiliates" }],
    intro: "Each code belongs to one line.",
    body:
      lines.length === 0 ? (
        <Empty title="No lines yet" text="Codes belong to lines. Add a line first.">
          <ButtonLink href={campaignsOf(visit)} label="All campaigns" />
        </Empty>
      ) : (
        <section class="card narrow">
          <Form action={`${base}/new`} submit="Save code" cancel={base} values={typed} errors={errors}>
            <Select name="line" label="Line" choices={[{ value: "", label: "Choose a line" }, ...lines]} />
            <Field name="code" label="Code" required maxlength={AFFILIATE_CODE_CHARACTERS_MAX} hint={CODE_HINT} />
            <Field name="slug" label="Link name" maxlength={AFFILIATE_SLUG_CHARACTERS_MAX} hint={SLUG_HINT} />
            {errors["move"] !== undefined && (
              <Checkbox name="move" checked={false} value={moveToConfirm(typed)} label={moveLabel} />
            )}
          </Form>
          <p class="hint">
            Many codes at once? <a href={`/app/o/${visit.organization.slug}/upload`}>Upload a file</a>.
          </p>
        </section>
      ),
  })
}

async function save(visit: OrganizationVisit): Promise<Response> {
  const typed = (await readForm(visit.request)).texts("line", "code", "slug", "move")
  const { line, code, slug } = typed
  const missing = { ...(line === "" && { line: "Choose a line." }), ...(code === "" && { code: "Enter a code." }) }
  if (Object.keys(missing).length > 0) return codePage(visit, typed, missing)
  const before = await lineOf(visit, code)
  if (before !== undefined && before.packageId !== line.toLowerCase() && typed.move !== moveToConfirm(typed))
    return codePage(visit, typed, { move: moveQuestion(before) })
  const row = { packageId: line, code, ...(slug !== "" && { slug }) }
  const { errors } = await recordAffiliateCodes(visit.context, reporterOf(visit), [row], { dryRun: false })
  const [refused] = errors
  if (refused === undefined)
    return goTo(visit, baseOf(visit), done(`${code} has been saved.`, `${baseOf(visit)}/new`, "Add another code"))
  return codePage(visit, typed, { [fieldOf(refused.message)]: refusalInWords(refused.message) })
}

const moveQuestion = ({ code, line, campaignName }: CodeFigures) =>
  `${code} belongs to ${line} (${campaignName}). If you move it, past days stay with that line, and new days count for the new one.`

/** Messages name the field of the API that they are about. */
function fieldOf(message: string): keyof Typed {
  if (message.startsWith("packageId")) return "line"
  return message.startsWith("slug") ? "slug" : "code"
}

const NEW = "/app/o/:org/affiliates/new"

export const newCodeRoutes = [
  forMember("GET", NEW, (visit) =>
    codePage(visit, { line: visit.url.searchParams.get("line") ?? "", code: "", slug: "", move: "" }),
  ),
  forMember("POST", NEW, save),
]
