import { Type } from "@sinclair/typebox"
import { AtLeastOne, closed, has } from "../../schema/schema-helpers.ts"

export const Size = Type.Object({ width: AtLeastOne, height: AtLeastOne }, closed)

const exact = Type.Union([has("width"), has("height")])
const listed = has("sizes")
const ranged = Type.Union([has("min_width"), has("max_width"), has("min_height"), has("max_height")])

/** A canonical format states its size in one way: width and height, a list of sizes, bounds, or not at all. */
export const OneSizeMode = Type.Union(
  [
    Type.Intersect([has("width", "height"), Type.Not(listed), Type.Not(ranged)]),
    Type.Intersect([listed, Type.Not(exact), Type.Not(ranged)]),
    Type.Intersect([ranged, Type.Not(exact), Type.Not(listed)]),
    Type.Intersect([Type.Not(exact), Type.Not(listed), Type.Not(ranged)]),
  ],
  { sentence: "give the size as width and height, or as sizes, or as minimum and maximum bounds, not as a mixture" },
)
