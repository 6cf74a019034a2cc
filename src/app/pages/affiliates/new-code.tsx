import { recordAffiliateCodes } from "../../../actions/delivery/record-affiliates.ts"
import { CODE_CHARACTERS_MAX, SLUG_CHARACTERS_MAX } from "../../../domain/affiliate/code.ts"
import { formSource } from "../../../domain/delivery/delivery.ts"
import { codesByName } from "../../../storage/campaigns/affiliates.ts"
import type { StoredLine } from "../../../storage/campaigns/lines.ts"
import { linesSoldBy } from "../../../storage/campaigns/seller-lines.ts"
import { campaignsAddress } from "../../find.ts"
import { goTo } from "../../flash.ts"
import { confirmationsIn, type FormOf } from "../../forms/form.ts"
import { page } from "../../page.tsx"
import { ButtonLink, Empty } from "../../parts/blocks.tsx"
import { Question, Select } from "../../parts/choices.tsx"
import { Field } from "../../parts/fields.tsx"
import { Form } from "../../parts/form.tsx"
import { homeOf, type MemberVisit } from "../../visit.ts"

type Lines = readonly StoredLine[]

export const newCodeForm: FormOf<MemberVisit, Lines> = {
  find: ({ context, organization }) => linesSoldBy(context.database.read, organization.id),
  begin: ({ url }) => ({ texts: { line: url.searchParams.get("line") ?? "" } }),
  view(visit, lines, form) {
    const address = `${homeOf(visit)}/affiliates`
    return page(visit, {
      title: "New affiliate code",
      trail: [{ href: address, label: "Affiliates" }],
      intro: "Each code belongs to one line.",
      form,
      body:
        lines.length === 0 ? (
          <Empty title="No lines yet" text="Codes belong to lines. Add a line first.">
            <ButtonLink href={campaignsAddress(visit)} label="All campaigns" />
          </Empty>
        ) : (
          <section class="card narrow">
            <Form action={`${address}/new`} submit="Save code" cancel={address}>
              <Select
                name="line"
                label="Line"
                choices={[{ value: "", label: "Choose a line" }, ...choicesOf(lines)]}
                required
              />
              <Field
                name="code"
                label="Code"
                hint="As customers type it, such as AUTUMN10. Codes are case-sensitive."
                maxlength={CODE_CHARACTERS_MAX}
                required
              />
              <Question name="code" label="Move it to this line" />
              <Field
                name="slug"
                label="Slug"
                hint="Links may use it in place of the code, such as autumn-10."
                maxlength={SLUG_CHARACTERS_MAX}
              />
            </Form>
            <p class="hint">
              Many codes at once? <a href={`${homeOf(visit)}/upload`}>Upload a file</a>.
            </p>
          </section>
        ),
    })
  },
  async save(visit, lines, texts) {
    const { line = "", code = "", slug = "" } = texts
    if (line === "") return { errors: { line: "Choose a line." } }
    if (code === "") return { errors: { code: "Enter a code." } }
    const question = await moveQuestion(visit, lines, { line, code })
    if (question !== null && confirmationsIn(texts)["code"] !== question) return { questions: { code: question } }
    const reporter = { sellerId: visit.organization.id, source: formSource(visit.actor) }
    const row = { packageId: line, code, ...(slug !== "" && { slug }) }
    const { errors } = await recordAffiliateCodes(visit.context, reporter, [row], { isDryRun: false })
    const [rejection] = errors
    if (rejection !== undefined) return { errors: { [fieldOf(rejection.message)]: rejection.message } }
    return goTo(visit, `${homeOf(visit)}/affiliates`, `${code} is saved.`)
  },
}

const choicesOf = (lines: Lines) =>
  lines.map(({ packageId, name, campaign }) => ({ value: packageId, label: `${name} (${campaign.name})` }))

/** Asks before a known code is moved. Null if the code is new, or belongs to the line already. */
async function moveQuestion(visit: MemberVisit, lines: Lines, { line, code }: { line: string; code: string }) {
  const { context, organization } = visit
  const stored = (await codesByName(context.database.read, organization.id, [code])).get(code)
  const before = lines.find(({ id }) => id === stored?.lineId)
  if (before === undefined || before.packageId === line) return null
  return `${code} belongs to ${before.name} (${before.campaign.name}). If you move it, past days stay with that line, and new days belong to the new one.`
}

/** Messages name the field of the API that they are about. */
function fieldOf(message: string): "line" | "code" | "slug" {
  if (message.startsWith("packageId")) return "line"
  return message.startsWith("slug") ? "slug" : "code"
}
