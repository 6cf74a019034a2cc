import { Type } from "@sinclair/typebox"
import { object } from "../../schema/build.ts"
import { Domain } from "../../schema/values.ts"

/** A company, by its domain. */
export const BrandRef = object({ domain: Domain, "brand_id?": Type.String({ pattern: "^[a-z0-9_]+$" }) })
