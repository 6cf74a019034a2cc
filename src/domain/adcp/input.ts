import { type TSchema, Type } from "@sinclair/typebox"
import { AnyObject, AtLeastOne, Identifier, object, optional, partial, Url } from "../schema/build.ts"

// Arguments that several tools take. Other arguments are ignored, never refused.

export const PAGE_RESULTS_DEFAULT = 50
const PAGE_RESULTS_MAX = 100

/** More than a request needs, and too few to keep others waiting. */
export const ARGUMENT_ENTRIES_MAX = 500

export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
})

export const listOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { minItems: 1, maxItems: ARGUMENT_ENTRIES_MAX, description })

export const Pagination = partial(
  {
    max_results: Type.Integer({
      minimum: 1,
      maximum: PAGE_RESULTS_MAX,
      default: PAGE_RESULTS_DEFAULT,
      description: "Maximum number of results per page.",
    }),
    cursor: Type.String({ description: "The cursor from the previous page. Repeat the other arguments unchanged." }),
  },
  { description: "Which page of the results to return." },
)

export const FormatIdInput = object(
  {
    id: described(Identifier, "The format's ID."),
    "agent_url?": described(Url, "The agent that defines the format. Default: this agent."),
    "width?": described(AtLeastOne, "Width in pixels, for formats with a variable size."),
    "height?": described(AtLeastOne, "Height in pixels, for formats with a variable size."),
    "duration_ms?": Type.Number({
      minimum: 1,
      description: "Duration in milliseconds, for formats with a variable duration.",
    }),
  },
  { description: "A creative format." },
)

export const AccountInput = described(
  AnyObject,
  "An account, by brand and operator. Not required; doesn't affect the answer. There are no account IDs.",
)

const shared = optional({
  adcp_version: Type.String({
    title: 'a release such as "3.1", without a patch number',
    pattern: "^\\d+\\.\\d+(-[a-zA-Z0-9.-]+)?$",
    description: 'The AdCP version you use, such as "3.1".',
  }),
  adcp_major_version: Type.Integer({
    minimum: 1,
    maximum: 99,
    description: "The AdCP major version, 3. Prefer adcp_version.",
  }),
  context: described(AnyObject, "Any data. It is returned unchanged and never read or stored."),
  ext: described(AnyObject, "Vendor extensions. None are used."),
  idempotency_key: Type.String({ description: "Accepted but not needed: every tool is read-only." }),
})

/** The input schema of a tool: its own arguments and those that every tool takes. Unknown ones are welcome. */
export const toolInput = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Object({ ...optional(fields), ...shared }, { additionalProperties: true })
