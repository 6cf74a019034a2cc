import { Type } from "@sinclair/typebox"
import * as s from "../../../schema/schema-helpers.ts"
import { ResponseType, UidType } from "../vocabulary.ts"

const TrustedMatchProvider = s.ruled(
  Type.Object({
    agent_url: s.Url,
    ...s.optional({
      context_match: s.Flag,
      identity_match: s.Flag,
      countries: s.nonEmpty(s.Country),
      uid_types: s.nonEmpty(UidType),
    }),
  }),
  s.when(s.is("identity_match", true), s.has("countries", "uid_types")),
)

export const TrustedMatch = Type.Object({
  context_match: s.Flag,
  ...s.optional({
    identity_match: s.Flag,
    response_types: s.nonEmpty(ResponseType),
    dynamic_brands: s.Flag,
    providers: s.nonEmpty(TrustedMatchProvider),
  }),
})
