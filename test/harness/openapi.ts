import { expect } from "bun:test"
import Ajv from "ajv/dist/2020.js"
import type { TestApp } from "./app.ts"

export interface Content {
  readonly content: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>
}

export interface Operation {
  readonly requestBody: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export async function published(app: TestApp): Promise<Document> {
  const response = await app.fetch("/openapi.json")
  expect(response.status).toBe(200)
  return (await response.json()) as Document
}

export async function operationOf(app: TestApp, path: string): Promise<Operation> {
  const operation = (await published(app)).paths[path]?.["post"]
  if (operation === undefined) throw new Error(`The document lacks ${path}.`)
  return operation
}

export const validatorOf = ({ content }: Content, type = "application/json") =>
  new Ajv({ strict: false }).compile(content[type]?.schema ?? false)
