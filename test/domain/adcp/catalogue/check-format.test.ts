import { expect, test } from "bun:test"
import { builtInFormats } from "../../../../src/domain/adcp/catalogue/built-in/index.ts"
import { checkFormat, ownFormats } from "../../../../src/domain/adcp/catalogue/check.ts"
import { plainFormat } from "../schema/documents.ts"

const own = ownFormats(builtInFormats)
const position = { position: "prominent", persistence: ["continuous"] }

test("a format may name itself and the formats beside it", () => {
  const output_format_ids = [{ id: "banner" }, { id: "video_vast" }]
  expect(checkFormat({ ...plainFormat, output_format_ids }, own)).toEqual([])
})

test.each([
  [
    "an id with a space",
    { ...plainFormat, format_id: { id: "a b" } },
    "/format_id/id",
    "format_id.id must be letters, digits, _ and - only",
  ],
  ["no name", { format_id: { id: "a" } }, "/name", "name is required"],
  [
    "a render without a size",
    { ...plainFormat, renders: [{ role: "primary" }] },
    "/renders/0",
    "renders[0] needs dimensions or parameters_from_format_id",
  ],
  [
    "a size from the format_id, which takes none",
    { ...plainFormat, renders: [{ role: "primary", parameters_from_format_id: true }] },
    "/renders/0/parameters_from_format_id",
    "renders[0] takes its size from the format_id, so accepts_parameters must include dimensions",
  ],
  [
    "an unknown own format",
    { ...plainFormat, input_format_ids: [{ id: "nope" }] },
    "/input_format_ids/0",
    'input_format_ids[0]: "nope" is not a format of this catalogue',
  ],
  [
    "a position twice",
    { ...plainFormat, disclosure_capabilities: [position, position] },
    "/disclosure_capabilities/1/position",
    "disclosure_capabilities has the position prominent twice",
  ],
  [
    "an asset of an unknown type",
    {
      ...plainFormat,
      assets: [{ item_type: "individual", asset_id: "a", asset_type: "pixel_tracker", required: true }],
    },
    "/assets/0/asset_type",
    expect.stringContaining("assets[0].asset_type must be one of image, video"),
  ],
])("a format with %s is refused, and the error names the place", (_case, format, pointer, message) => {
  expect(checkFormat(format, own)).toEqual([{ pointer, message, keyword: expect.any(String) }])
})
