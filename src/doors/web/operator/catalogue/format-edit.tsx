import { bodyRevision, changeFormat, type Problems } from "../../../../actions/catalogue/edit-catalogue.ts"
import { type ListedFormat, listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { formatIdOf } from "../../../../domain/import/import-plan.ts"
import { type Errors, readForm } from "../../form.ts"
import { pageNotFound } from "../../pages/refusals.tsx"
import { TextArea } from "../../parts/field.tsx"
import { Form } from "../../parts/form.tsx"
import { type StartedFrom, StartedFromFields, startedFrom } from "../../parts/started-from.tsx"
import { Badge, Heading } from "../../parts/widgets.tsx"
import { done, goTo, page } from "../../respond.ts"
import { forOperator } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { at, FORMAT, FORMATS, PRODUCT } from "../navigation.ts"
import { findFormat } from "./formats.tsx"
import { asJson, JSON_CHANGED, jsonErrors, readJson } from "./json-form.ts"
import { hasErrors } from "./validate.ts"

const EXAMPLE = {
  format_id: { id: "my_format" },
  name: "My format",
  description: "What the creative is, in a sentence.",
  assets: [
    {
      item_type: "individual",
      asset_id: "banner_image",
      asset_type: "image",
      asset_group_id: "image_main",
      required: true,
      requirements: { min_width: 300, max_width: 300, min_height: 250, max_height: 250, max_file_size_kb: 200 },
    },
  ],
  canonical: { kind: "image" },
}

interface Draft {
  readonly text: string
  readonly errors?: Errors
  readonly started?: StartedFrom
  readonly theirs?: string
}

/** What is stored for a format: nothing for a built-in one, null for one that is hidden. */
function startOf(stored: ListedFormat | null): StartedFrom {
  const isBuiltIn = stored === null || stored.state === "built-in"
  const body = isBuiltIn ? undefined : stored.state === "hidden" ? null : stored.format
  return { revision: bodyRevision(body), shown: "" }
}

function editPage(visit: PersonVisit, stored: ListedFormat | null, draft: Draft): Response {
  const { text, errors = {}, started = startOf(stored), theirs } = draft
  const title = stored?.name ?? "New format"
  return page(visit, {
    title,
    active: FORMATS,
    status: hasErrors(errors) ? 422 : 200,
    body: (
      <>
        <Heading title={title} trail={[{ href: FORMATS, label: "Formats" }]} actions={stored && <Acts of={stored} />}>
          {stored && <About format={stored} />}
        </Heading>
        <section class="card">
          <Form action={visit.url.pathname} submit={submitOf(stored)} cancel={FORMATS} theirs={theirs} errors={errors}>
            <StartedFromFields {...started} />
            <TextArea
              name="json"
              label="The format as AdCP 3.1 JSON"
              rows={26}
              value={text}
              required
              errors={errors}
              hint={
                stored?.state === "built-in"
                  ? "This one is built in. What you save stands in its place until you go back."
                  : "A format_id without agent_url means a format of this installation. Everything is checked before it is saved."
              }
            />
          </Form>
        </section>
      </>
    ),
  })
}

function submitOf(stored: ListedFormat | null): string {
  return stored?.state === "built-in" || stored?.state === "hidden" ? "Put mine in its place" : "Save the format"
}

function About({ format: { id, state, usedBy } }: { readonly format: ListedFormat }) {
  return (
    <p class="soft">
      <code>{id}</code> <Badge tone={state === "hidden" ? "bad" : "plain"}>{state}</Badge>{" "}
      {usedBy.length > 0 && (
        <>
          Used by{" "}
          {usedBy.map((product, index) => (
            <>
              {index > 0 && ", "}
              <a href={at(PRODUCT, product)}>{product}</a>
            </>
          ))}
        </>
      )}
    </p>
  )
}

function Acts({ of: { id, state } }: { readonly of: ListedFormat }) {
  return (
    <>
      {(state === "built-in" || state === "replaced") && (
        <form method="post" action={at(FORMAT, id, "hide")}>
          <button type="submit">Hide</button>
        </form>
      )}
      {state === "hidden" && (
        <form method="post" action={at(FORMAT, id, "delete")}>
          <button type="submit">Show again</button>
        </form>
      )}
      {(state === "own" || state === "replaced") && (
        <a class="button danger" href={at(FORMAT, id, "delete")}>
          {state === "own" ? "Delete" : "Go back to the built-in one"}
        </a>
      )}
    </>
  )
}

async function save(visit: PersonVisit, stored: ListedFormat | null): Promise<Response> {
  const form = await readForm(visit.request)
  const text = form.raw("json")
  const started = startedFrom(form)
  const read = readJson(text)
  if (!read.ok) return editPage(visit, stored, { text, errors: read.errors, started })
  const id = formatIdOf(read.value)
  const made = { seen: stored === null ? startOf(null).revision : started.revision, actor: visit.actor }
  const problems = (await idProblems(visit, stored, id)) ?? (await changeFormat(visit.context, read.value, made))
  if (problems === "changed") return conflictPage(visit, id, text)
  if (problems.length > 0) return editPage(visit, stored, { text, errors: jsonErrors(text, problems), started })
  return goTo(visit, at(FORMAT, id), done("The format is saved."))
}

/** As it is stored now, with what was typed: saving again keeps that. */
async function conflictPage(visit: PersonVisit, id: string, text: string): Promise<Response> {
  const now = (await listFormats(visit.context)).find((format) => format.id === id) ?? null
  return editPage(visit, now, { text, errors: { json: JSON_CHANGED }, theirs: at(FORMAT, id) })
}

async function idProblems(visit: PersonVisit, stored: ListedFormat | null, id: string): Promise<Problems | null> {
  const pointer = "/format_id/id"
  if (stored !== null) return id === stored.id ? null : [{ pointer, message: `format_id.id stays "${stored.id}"` }]
  const taken = (await listFormats(visit.context)).some((format) => format.id === id)
  return taken
    ? [{ pointer, message: `"${id}" is there already: open it to change it or to put yours in its place` }]
    : null
}

export const formatEditRoutes = [
  forOperator("GET", `${FORMATS}/new`, (visit) => editPage(visit, null, { text: asJson(EXAMPLE) })),
  forOperator("POST", `${FORMATS}/new`, (visit) => save(visit, null)),
  forOperator("GET", `${FORMAT}/:format`, async (visit) => {
    const stored = await findFormat(visit)
    return stored === undefined ? pageNotFound(visit) : editPage(visit, stored, { text: asJson(stored.format) })
  }),
  forOperator("POST", `${FORMAT}/:format`, async (visit) => {
    const stored = await findFormat(visit)
    return stored === undefined ? pageNotFound(visit) : save(visit, stored)
  }),
]
