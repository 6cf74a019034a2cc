import { type ComponentChildren, Fragment, h } from "preact"
import type { Theme } from "../cookies.ts"
import { ButtonLink } from "../parts/buttons.tsx"
import { Icon } from "../parts/icon.tsx"
import { type Column, Table } from "../parts/table.tsx"
import { REFERENCE } from "./files.ts"
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
  responses: Readonly<Record<string, Answer>>
}>

type Content = Readonly<{ schema: Schema; example?: unknown }>

type Answer = Readonly<{
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

type PageProps = Readonly<{ api: ApiDocument; theme: Theme }>

/** Every address, field and status of the API, on one page that needs no script. */
export function ReferencePage({ api, theme }: PageProps) {
  const calls = calledOf(api)
  const groups = [
    { title: "Start", entries: [["start", "Keys and address"]] },
    ...api.tags.map(({ name }) => ({
      title: name,
      entries: calls.filter(({ tags }) => tags.includes(name)).map((one) => [one.operationId, one.summary]),
    })),
    { title: "Everywhere", entries: [["refused", "Refused requests"]] },
  ].map(({ title, entries }) => ({
    title,
    entries: entries.map(([id = "", label = ""]) => ({ href: `#${id}`, label })),
  }))
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
      <Start api={api} />
      {calls.map((call) => (
        <Endpoint key={call.operationId} call={call} api={api} />
      ))}
      <Refused calls={calls} />
    </GuideFrame>
  )
}

type SectionProps = Readonly<{ id: string; title: string; samples: ComponentChildren; children: ComponentChildren }>

/** A text with its examples beside it, or below on a smaller screen. */
function Section({ id, title, samples, children }: SectionProps) {
  return (
    <section class="endpoint" id={id} aria-labelledby={`${id}-title`}>
      <div class="stack">
        <h2 id={`${id}-title`}>{title}</h2>
        {children}
      </div>
      <div class="stack examples">{samples}</div>
    </section>
  )
}

function Sample({ id, title, text }: Readonly<{ id: string; title: string; text: string }>) {
  return (
    <figure class="sample">
      <figcaption>
        {title}
        <button type="button" class="button small quiet scripted" data-copy={id} aria-label={`Copy: ${title}`}>
          <Icon name="copy" />
          <span>Copy</span>
        </button>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre id={id} tabIndex={0}>
        {text}
      </pre>
    </figure>
  )
}

function Start({ api }: { readonly api: ApiDocument }) {
  const text = `export ADBOOTH_URL=${api.servers[0]?.url ?? ""}\nexport ADBOOTH_KEY=…  # from Settings, API keys`
  return (
    <Section
      id="start"
      title="Keys and address"
      samples={<Sample id="sample-start" title="Address and key" text={text} />}
    >
      <p>
        Every request carries an API key. An admin creates it under Settings, API keys, and it is shown once. Treat it
        like a password.
      </p>
      {api.info.description.split("\n\n").map((paragraph) => (
        <p key={paragraph}>
          <Words text={paragraph} />
        </p>
      ))}
    </Section>
  )
}

/** A text in which `code` is marked as in Markdown. */
function Words({ text }: { readonly text: string }) {
  return <>{text.split("`").map((part, i) => (i % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
}

type EndpointProps = Readonly<{ call: Called; api: ApiDocument }>

function Endpoint({ call, api }: EndpointProps) {
  const { operationId, method, path, parameters = [], requestBody, responses } = call
  const body = Object.values(requestBody?.content ?? {})[0]
  const [status, good] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? []
  const answer = good?.content?.["application/json"]
  const samples = (
    <>
      <Sample id={`sample-${operationId}`} title="Request" text={curlOf(call)} />
      {answer?.example !== undefined && (
        <Sample
          id={`answer-${operationId}`}
          title={`Answer, ${status}`}
          text={JSON.stringify(answer.example, null, 2)}
        />
      )}
    </>
  )
  return (
    <Section id={operationId} title={call.summary} samples={samples}>
      <p class="verb">
        <b>{method}</b> <code>{path}</code>
      </p>
      <p>
        <Words text={call.description} />
      </p>
      {body !== undefined && <Fields title="Body" fields={fieldsOf(body.schema, api)} />}
      <Fields
        title="In the address"
        fields={parameters.map(({ schema, required = false, ...more }) => ({ ...schema, ...more, required }))}
      />
      <h3>Answer</h3>
      <p>{good?.description}</p>
      {answer !== undefined && <Fields title="Fields of the answer" fields={fieldsOf(answer.schema, api)} folded />}
    </Section>
  )
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

type FieldsProps = Readonly<{ title: string; fields: readonly Field[]; folded?: boolean }>

function Fields({ title, fields, folded = false }: FieldsProps) {
  if (fields.length === 0) return null
  const list = (
    <dl class="params">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>
            {field.name}
            <small>{kindOf(field)}</small>
          </dt>
          <dd>
            <Words text={field.description ?? ""} />
            {field.enum && (
              <small>{field.enum.map((value, i) => [i > 0 && ", ", <code key={value}>{value}</code>])}</small>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
  const heading = folded ? <summary>{title}</summary> : <h3>{title}</h3>
  return h(folded ? "details" : Fragment, null, heading, list)
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

type RefusedRow = readonly [code: string, about: { readonly status: string; readonly description: string }]

const REFUSED_COLUMNS: readonly Column<RefusedRow>[] = [
  { title: "Code", cell: ([code]) => <code>{code}</code> },
  { title: "Status", value: ([, { status }]) => status },
  { title: "What it means", value: ([, { description }]) => description },
]

/** What may come instead of an answer, in one table: the same everywhere, but for a few of some requests. */
function Refused({ calls }: { readonly calls: readonly Called[] }) {
  const found = new Map<string, { status: string; description: string; example: Content["example"] }>()
  for (const { responses } of calls)
    for (const [status, { description, content }] of Object.entries(responses)) {
      const example = content?.["application/problem+json"]?.example
      const { code } = (example ?? {}) as { code?: string }
      if (code !== undefined && !found.has(code)) found.set(code, { status, description, example })
    }
  const rows = [...found].sort(([, one], [, other]) => one.status.localeCompare(other.status))
  const sample = found.get("rate_limited")?.example
  const limit = calls[0]?.responses["200"]?.headers?.["RateLimit-Policy"]?.description.split(": ").at(-1)
  return (
    <Section
      id="refused"
      title="Refused requests"
      samples={<Sample id="sample-refused" title="Answer, 429" text={JSON.stringify(sample, null, 2)} />}
    >
      <p>
        Nothing was written then, and the answer is <code>application/problem+json</code>. Quote <code>request_id</code>{" "}
        when you ask for help. The limit of each key and feed: {limit}
      </p>
      <Table caption="Reasons to refuse a request" columns={REFUSED_COLUMNS} rows={rows} rowKey={([code]) => code} />
    </Section>
  )
}
