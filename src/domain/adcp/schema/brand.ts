import { Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"

export const BrandRef = s.object({ domain: s.Domain, "brand_id?": Type.String({ pattern: "^[a-z0-9_]+$" }) })
