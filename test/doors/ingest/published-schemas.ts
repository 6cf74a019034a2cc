import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import type { TestApp } from "../../harness.ts"

export interface Content {
  readonly schema: Schema
  readonly example: unknown
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters: readonly { readonly name: string }[]
  readonly requestBody: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<
    Record<string, { readonly headers: object; readonly content: Readonly<Record<string, Content>> }>
  >
}

export interface OpenApi {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The document that a running server publishes. */
export async function publishedBy(app: TestApp): Promise<OpenApi> {
  return (await (await app.fetch("/openapi.json")).json()) as OpenApi
}

/** Checks of values against the schemas of a document, by a checker that callers use too. */
export function checkers({ components }: OpenApi) {
  const ajv = new Ajv2020({ strict: false })
  ajv.addSchema({ $id: "http://openapi/", components })
  return (schema: Schema): ValidateFunction =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"http://openapi/#/components')))
}
