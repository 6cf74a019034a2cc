import type { Audience } from "../../src/doors/web/route.ts"
import { OPERATOR_AUDIENCES } from "./operator/audiences.ts"

/** Who may use each route, typed by hand: a new route without an entry fails the test. */
export const AUDIENCES: Readonly<Record<string, Audience>> = {
  "GET /app": "signed_in",
  "GET /app/o/:org": "member",
  "GET /app/sign-in": "anyone",
  "POST /app/sign-in": "anyone",
  "GET /app/sign-in/code": "anyone",
  "POST /app/sign-in/code": "anyone",
  "POST /app/sign-out": "anyone",
  "POST /app/sign-out/everywhere": "signed_in",
  "GET /app/setup/:token": "anyone",
  "POST /app/setup/:token": "anyone",
  "GET /app/password/:token": "anyone",
  "POST /app/password/:token": "anyone",
  ...OPERATOR_AUDIENCES,
}
