import { Type } from "@sinclair/typebox"
import * as s from "../../schema/schema-helpers.ts"

export const Size = Type.Object({ width: s.AtLeastOne, height: s.AtLeastOne }, s.closed)

const exact = s.hasAny("width", "height")
const listed = s.has("sizes")
const ranged = s.hasAny("min_width", "max_width", "min_height", "max_height")

/** A canonical format gives its size in one way: width and height, a list of sizes, bounds, or not at all. */
export const OneSizeMode = Type.Union(
  [
    Type.Intersect([s.has("width", "height"), Type.Not(listed), Type.Not(ranged)]),
    Type.Intersect([listed, Type.Not(exact), Type.Not(ranged)]),
    Type.Intersect([ranged, Type.Not(exact), Type.Not(listed)]),
    Type.Intersect([Type.Not(exact), Type.Not(listed), Type.Not(ranged)]),
  ],
  { sentence: "give the size as width and height, or as sizes, or as minimum and maximum bounds, not as a mixture" },
)
