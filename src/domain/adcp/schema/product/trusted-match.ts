import { Type } from "@sinclair/typebox"
import { Country, Flag, has, optional, ruled, Url, when } from "../../../schema/schema-helpers.ts"
import { ResponseType, UidType } from "../vocabulary.ts"

const TrustedMatchProvider = ruled(
  Type.Object({
    agent_url: Url,
    ...optional({
      context_match: Flag,
      identity_match: Flag,
      countries: Type.Array(Country, { minItems: 1 }),
      uid_types: Type.Array(UidType, { minItems: 1 }),
    }),
  }),
  when(Type.Object({ identity_match: Type.Literal(true) }), has("countries", "uid_types")),
)

export const TrustedMatch = Type.Object({
  context_match: Flag,
  ...optional({
    identity_match: Flag,
    response_types: Type.Array(ResponseType, { minItems: 1 }),
    dynamic_brands: Flag,
    providers: Type.Array(TrustedMatchProvider, { minItems: 1 }),
  }),
})
