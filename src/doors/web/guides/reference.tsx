import type { Theme } from "../cookies.ts"
import { ButtonLink } from "../parts/blocks.tsx"
import { REFERENCE } from "./files.ts"
import { renderGuide } from "./library.ts"
import { GuideFrame } from "./pages.tsx"

/** As much of an OpenAPI document as the page shows. */
export type ApiDocument = Readonly<{
  info: { readonly description: string }
  servers: readonly { readonly url: string }[]
  tags: readonly { readonly name: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: { readonly schemas: Readonly<Record<string, Schema>> }
}>

type Operation = Readonly<{
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  parameters?: readonly Readonly<{ name: string; required?: boolean; description?: string; schema: Schema }>[]
  requestBody?: { readonly content: Readonly<Record<string, Content>> }
  responses: Readonly<Record<string, DocumentedResponse>>
}>

type Content = Readonly<{ schema: Schema; example?: unknown }>

type DocumentedResponse = Readonly<{
  description: string
  headers?: Readonly<Record<string, { readonly description: string }>>
  content?: Readonly<Record<string, Content>>
}>

type Schema = Readonly<{
  $ref?: string
  type?: string
  title?: string
  description?: string
  required?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  items?: Schema
  enum?: readonly (string | number)[]
  minItems?: number
  maxItems?: number
  maxLength?: number
}>

type Called = Operation & Readonly<{ path: string; method: string }>

const calledOf = ({ paths }: ApiDocument): Called[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )

const START = "Keys and address"
const REFUSED = "Refused requests"

/** Every address, field and status of the API, on one page that needs no script. It is written and rendered as the guides are. */
export function ReferencePage({ api, theme }: Readonly<{ api: ApiDocument; theme: Theme }>) {
  const calls = calledOf(api)
  const text = [
    `# ${REFERENCE.title}`,
    ...startOf(api),
    ...calls.flatMap((call) => textOf(call, api)),
    ...refusedIn(calls),
  ].join("\n\n")
  const file = { slug: "api", path: "", about: REFERENCE.about, isAboutThisInstallation: false, text }
  const { html, headings } = renderGuide(file, () => null)
  const [, ...sections] = html.split(/(?=<h2 )/)
  const entry = (label: string) => ({ href: `#${headings.find((heading) => heading.text === label)?.id}`, label })
  const groups = [
    { title: "Start", entries: [entry(START)] },
    ...api.tags.map(({ name }) => ({
      title: name,
      entries: calls.filter(({ tags }) => tags.includes(name)).map(({ summary }) => entry(summary)),
    })),
    { title: "Everywhere", entries: [entry(REFUSED)] },
  ]
  return (
    <GuideFrame title={REFERENCE.title} theme={theme} active={REFERENCE.href} groups={groups}>
      <div class="page-head">
        <div>
          <h1>API reference</h1>
          <p class="sub">For programs that send delivery totals and affiliate figures.</p>
        </div>
        <div class="actions no-print">
          <ButtonLink icon="download" href="/openapi.json" label="OpenAPI document" download />
          <ButtonLink icon="info" href="/docs/first-feed" label="Guide with examples" />
        </div>
      </div>
      {sections.map((section) => (
        <Section html={section} />
      ))}
    </GuideFrame>
  )
}

const SAMPLE = /<div class="code snippet">.*?aria-label="Code (\S+) \d+">.*?<\/div>/gs

/** A text with its examples beside it, or below on a smaller screen. */
function Section({ html }: { readonly html: string }) {
  const samples = [...html.matchAll(SAMPLE)].map(
    ([snippet, title]) =>
      `<figure class="sample"><figcaption>${title?.replaceAll("-", " ")}</figcaption>${snippet}</figure>`,
  )
  return (
    <section class="endpoint">
      <div class="prose" dangerouslySetInnerHTML={{ __html: html.replaceAll(SAMPLE, "") }} />
      <div class="stack examples" dangerouslySetInnerHTML={{ __html: samples.join("") }} />
    </section>
  )
}

const sample = (title: string, text: string) => `\`\`\`${title}\n${text}\n\`\`\``
const asJson = (value: unknown) => JSON.stringify(value, null, 2)

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ")
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n")
}

const startOf = ({ info, servers }: ApiDocument): string[] => [
  `## ${START}`,
  "Every request carries an API key. An admin creates it under Settings, API keys, and it is shown once. Treat it like a password.",
  info.description,
  sample(
    "Address-and-key",
    `export ADBOOTH_URL=${servers[0]?.url ?? ""}\nexport ADBOOTH_KEY=…  # from Settings, API keys`,
  ),
]

function textOf(call: Called, api: ApiDocument): string[] {
  const { method, path, parameters = [], requestBody, responses } = call
  const body = Object.values(requestBody?.content ?? {})[0]
  const [status, good] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? []
  const answer = good?.content?.["application/json"]
  const inAddress = parameters.map(({ schema, required = false, ...more }) => ({ ...schema, ...more, required }))
  return [
    `## ${call.summary}`,
    `**${method}** \`${path}\``,
    call.description,
    ...fieldTable("Body", body === undefined ? [] : fieldsOf(body.schema, api)),
    ...fieldTable("In the address", inAddress),
    "### Answer",
    good?.description ?? "",
    ...fieldTable("Fields of the answer", answer === undefined ? [] : fieldsOf(answer.schema, api)),
    sample("Request", curlOf(call)),
    ...(answer?.example === undefined ? [] : [sample(`Answer-${status}`, asJson(answer.example))]),
  ]
}

function curlOf({ method, path, requestBody }: Called): string {
  const [type, { example }] = Object.entries(requestBody?.content ?? {})[0] ?? ["", { example: undefined }]
  const data = example === undefined ? "--data-binary @october.csv" : `-d '${JSON.stringify(example, null, 2)}'`
  const body = type === "" ? [] : [`  -H "Content-Type: ${type}"`, `  ${data}`]
  const start = `curl --fail-with-body${method === "GET" ? "" : ` -X ${method}`}`
  const address = `  "$ADBOOTH_URL${path.replace("{id}", "7")}"`
  return [start, address, `  -H "Authorization: Bearer $ADBOOTH_KEY"`, ...body].join(" \\\n")
}

type Field = Omit<Schema, "required"> & { readonly name: string; readonly required?: boolean }

/** The fields of a schema, and those of the rows in it. */
function fieldsOf(schema: Schema, api: ApiDocument): Field[] {
  const { properties = {}, required = [] } = resolved(schema, api)
  return Object.entries(properties).flatMap(([name, property]) => {
    const field = { ...resolved(property, api), name, required: required.includes(name) }
    const rows = field.items === undefined ? [] : fieldsOf(field.items, api)
    return [field, ...rows]
  })
}

function resolved(schema: Schema, { components }: ApiDocument): Schema {
  const name = schema.$ref?.split("/").at(-1)
  return name === undefined ? schema : { ...components.schemas[name], ...schema }
}

function fieldTable(title: string, fields: readonly Field[]): string[] {
  if (fields.length === 0) return []
  const rows = fields.map((field) => {
    const values = field.enum?.map((value) => `\`${value}\``).join(", ")
    return [`\`${field.name}\` ${kindOf(field)}`, [field.description, values].filter(Boolean).join(" ")]
  })
  return [`### ${title}`, table(["Field", "What it is"], rows)]
}

const KINDS: Readonly<Record<string, string>> = {
  array: "list",
  boolean: "true or false",
  integer: "whole number",
  number: "number",
  object: "object",
  string: "text",
}

function kindOf({ type = "", title, required, minItems, maxItems, maxLength }: Field): string {
  const kind = title?.replace(/^an? /, "") ?? KINDS[type] ?? "text"
  const size = maxItems === undefined ? "" : `, ${minItems ?? 0} to ${maxItems.toLocaleString("en")}`
  const length = maxLength === undefined ? "" : `, at most ${maxLength} characters`
  return `${kind}${size}${length}${required === true ? ", required" : ""}`
}

/** What may come instead of an answer, in one table: the same everywhere, but for a few of some requests. */
function refusedIn(calls: readonly Called[]): string[] {
  const all = calls.flatMap(({ responses }) => Object.entries(responses))
  const refused = all.flatMap(([status, { description, content }]) => {
    const example = content?.["application/problem+json"]?.example as { readonly code: string } | undefined
    return example === undefined ? [] : [{ code: example.code, status, description, example }]
  })
  const byCode = [...new Map(refused.toReversed().map((refusal) => [refusal.code, refusal])).values()]
  const rows = byCode.sort((a, b) => a.status.localeCompare(b.status))
  const limit = calls[0]?.responses["200"]?.headers?.["RateLimit-Policy"]?.description.split(": ").at(-1)
  return [
    `## ${REFUSED}`,
    `Nothing was written then, and the answer is \`application/problem+json\`. Quote \`request_id\` when you ask for help. The limit of each key and feed: ${limit}`,
    table(
      ["Code and status", "What it means"],
      rows.map(({ code, status, description }) => [`\`${code}\` ${status}`, description]),
    ),
    sample("Answer-429", asJson(byCode.find(({ code }) => code === "rate_limited")?.example)),
  ]
}
