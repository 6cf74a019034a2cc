import { bodyRevision, changeFormat, type Problems } from "../../../../actions/catalogue/edit-catalogue.ts"
import { type ListedFormat, listFormats } from "../../../../actions/catalogue/list-formats.ts"
import { formatIdOf } from "../../../../domain/import/import-plan.ts"
import { readForm } from "../../form.ts"
import { Badge } from "../../parts/badge.tsx"
import { ButtonLink } from "../../parts/button-link.tsx"
import { type Draft, type StartedFrom, startedFrom } from "../../parts/form/draft.ts"
import { Form } from "../../parts/form/form.tsx"
import { TextArea } from "../../parts/form/text-area.tsx"
import { headedPage } from "../../parts/page-kinds.tsx"
import { done, goTo } from "../../respond.ts"
import { forOperator, withFound } from "../../route.ts"
import type { PersonVisit } from "../../visit.ts"
import { at, FORMAT, FORMATS, PRODUCT } from "../navigation.ts"
import { findFormat } from "./formats.tsx"
import { asJson, JSON_CHANGED, JSON_HINT, jsonErrors, readJson } from "./json-form.ts"

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

type Typed = Readonly<{ json: string }>

/** Nothing is stored for a built-in format, and null for one that is hidden. */
function startOf(stored: ListedFormat | null): StartedFrom {
  const isBuiltIn = stored === null || stored.state === "built-in"
  const body = isBuiltIn ? undefined : stored.state === "hidden" ? null : stored.format
  return { revision: bodyRevision(body), shown: "" }
}

function editPage(visit: PersonVisit, stored: ListedFormat | null, draft: Draft<Typed>): Response {
  return headedPage(visit, {
    title: stored?.name ?? "New format",
    active: FORMATS,
    trail: [{ href: FORMATS, label: "Formats" }],
    actions: stored && <Actions of={stored} />,
    intro: stored && <About format={stored} />,
    body: (
      <section class="card">
        <Form
          action={visit.url.pathname}
          submit={submitOf(stored)}
          cancel={FORMATS}
          draft={{ started: startOf(stored), ...draft }}
        >
          <TextArea
            name="json"
            label="The format as AdCP 3.1 JSON"
            rows={26}
            required
            hint={stored?.state === "built-in" ? BUILT_IN_HINT : JSON_HINT}
          />
        </Form>
      </section>
    ),
  })
}

const BUILT_IN_HINT = "This format is built in. What you save replaces it until you restore it."

function submitOf(stored: ListedFormat | null): string {
  return stored?.state === "built-in" || stored?.state === "hidden" ? "Replace it" : "Save format"
}

function About({ format: { id, state, usedBy } }: { readonly format: ListedFormat }) {
  return (
    <p class="soft">
      <code>{id}</code> <Badge tone={state === "hidden" ? "bad" : "off"}>{state}</Badge>{" "}
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

function Actions({ of: { id, state } }: { readonly of: ListedFormat }) {
  return (
    <>
      {(state === "built-in" || state === "replaced") && (
        <form method="post" action={at(FORMAT, id, "hide")}>
          <button type="submit" class="button">
            Hide
          </button>
        </form>
      )}
      {state === "hidden" && (
        <form method="post" action={at(FORMAT, id, "delete")}>
          <button type="submit" class="button">
            Show again
          </button>
        </form>
      )}
      {(state === "own" || state === "replaced") && (
        <ButtonLink
          kind="danger"
          href={at(FORMAT, id, "delete")}
          label={state === "own" ? "Delete" : "Restore the built-in format"}
        />
      )}
    </>
  )
}

async function save(visit: PersonVisit, stored: ListedFormat | null): Promise<Response> {
  const form = await readForm(visit.request)
  const typed = { json: form.raw("json") }
  const started = startedFrom(form)
  const read = readJson(typed.json)
  if (!read.ok) return editPage(visit, stored, { typed, errors: read.errors, started })
  const id = formatIdOf(read.value)
  const by = { seen: stored === null ? startOf(null).revision : started.revision, actor: visit.actor }
  const problems = (await idProblems(visit, stored, id)) ?? (await changeFormat(visit.context, read.value, by))
  if (problems === "changed") return conflictPage(visit, id, typed)
  if (problems.length > 0) return editPage(visit, stored, { typed, errors: jsonErrors(typed.json, problems), started })
  return goTo(visit, at(FORMAT, id), done("The format has been saved."))
}

/** The stored format, with what was typed: saving again keeps that. */
async function conflictPage(visit: PersonVisit, id: string, typed: Typed): Promise<Response> {
  const now = (await listFormats(visit.context)).find((format) => format.id === id) ?? null
  return editPage(visit, now, { typed, errors: { json: JSON_CHANGED }, theirs: at(FORMAT, id) })
}

async function idProblems(visit: PersonVisit, stored: ListedFormat | null, id: string): Promise<Problems | null> {
  const pointer = "/format_id/id"
  if (stored !== null) return id === stored.id ? null : [{ pointer, message: `format_id.id must stay "${stored.id}"` }]
  const taken = (await listFormats(visit.context)).some((format) => format.id === id)
  return taken ? [{ pointer, message: `"${id}" already exists: open it to change or replace it` }] : null
}

const jsonOf = (value: unknown): Draft<Typed> => ({ typed: { json: asJson(value) } })

export const formatEditRoutes = [
  forOperator("GET", `${FORMATS}/new`, (visit) => editPage(visit, null, jsonOf(EXAMPLE))),
  forOperator("POST", `${FORMATS}/new`, (visit) => save(visit, null)),
  forOperator(
    "GET",
    `${FORMAT}/:format`,
    withFound(findFormat, (visit, stored) => editPage(visit, stored, jsonOf(stored.format))),
  ),
  forOperator("POST", `${FORMAT}/:format`, withFound(findFormat, save)),
]
