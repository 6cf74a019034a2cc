import { type Static, Type } from "@sinclair/typebox"
import { choice } from "../../schema/schema-helpers.ts"
import { toolInput } from "./common-input.ts"

export const CapabilitiesInput = toolInput({
  protocols: Type.Array(choice("media_buy signals governance sponsored_intelligence creative"), {
    minItems: 1,
    description: "Only the sections of these protocols.",
  }),
})
export type CapabilitiesInput = Static<typeof CapabilitiesInput>
