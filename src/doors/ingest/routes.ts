import { bearer } from "@elysiajs/bearer"
import { Elysia } from "elysia"
import { methodNotAllowed } from "../../domain/failure.ts"
import { FILES_PATH } from "../../domain/feed-addresses.ts"
import { DATE_ORDERS } from "../../domain/time/typed-day.ts"
import { UPLOAD_KINDS } from "../../domain/upload/columns.ts"
import { FileReport } from "../../domain/upload/file-report.ts"
import { FIGURES, WORKBOOK_TYPE } from "../../domain/upload/upload.ts"
import { problem } from "../http/problem.ts"
import { FEEDS, type Feed } from "./feeds.ts"
import type { FileHandler } from "./handle-files.ts"
import { answered, type IngestLimits, operationOf, refused } from "./openapi-operations.ts"

type FeedHandler = (request: Request, bearer?: string) => Promise<Response>

/** The addresses of the feeds, each with its description for the OpenAPI document. */
export function feedRoutes(limits: IngestLimits, handlerOf: (feed: Feed) => FeedHandler) {
  const routes = new Elysia().use(bearer())
  for (const feed of FEEDS) {
    const handle = handlerOf(feed)
    routes
      .post(feed.path, ({ request, bearer }) => handle(request, bearer), {
        parse: "none",
        detail: operationOf(feed, limits) as never,
      })
      .all(feed.path, ({ request }) => onlyPost(request), { parse: "none", detail: { hide: true } })
  }
  return routes
}

export const onlyPost = (request: Request): Response => problem(methodNotAllowed("POST"), request)

/** The address for whole files, with its description for the OpenAPI document. */
export function fileRoutes(limits: IngestLimits, send: FileHandler) {
  const described = { parse: "none", detail: sendDoc(limits) as never } as const
  return new Elysia()
    .use(bearer())
    .post(FILES_PATH, ({ request, bearer }) => send(request, bearer), described)
    .all(FILES_PATH, ({ request }) => onlyPost(request), { parse: "none", detail: { hide: true } })
}

const FILES = { name: "files", answer: FileReport }

const EXAMPLE: FileReport = {
  name: "october.csv",
  dry_run: false,
  state: "done",
  complete: true,
  message: "12 totals reported.",
  kind: "delivery",
  preset: "google-ad-manager",
  rows: 30,
  accepted: 12,
  unchanged: 0,
  older_than_current: 0,
  rejected: 0,
  ignored: 2,
  left_out: 0,
  problems: [],
  lines_left_out: [],
  rejected_rows: "",
}

const parameter = (name: string, description: string, schema: object = { type: "string" }) => ({
  name,
  in: "query",
  required: false,
  schema,
  description,
})

const sendDoc = (limits: IngestLimits) => ({
  operationId: "send-file",
  tags: ["Files"],
  summary: "Send the export of another system",
  description:
    "A CSV or TSV file, or an Excel workbook, as an ad server, podcast host, newsletter service or affiliate network makes it. Its columns say what it is: by a " +
    "preset, by our own names, or as somebody matched them in the app. Lines are found by your line IDs (external_id). Figures of single " +
    "days are added up to totals; a total is never lowered unless you allow it. Sending a file again does no harm.",
  parameters: [
    parameter("name", "The name of the file, for people."),
    parameter("kind", "What the rows are. Default: what the columns say.", { type: "string", enum: UPLOAD_KINDS }),
    parameter(
      "figures",
      "Whether each row is a total so far or the part of one day. Needed where neither our own names nor a preset say it, and nobody has " +
        "answered it in the app.",
      { type: "string", enum: FIGURES },
    ),
    parameter(
      "dates",
      "How days such as 03/04/2026 are written. Default: as the other days of the file show; where none does, such rows are rejected. A file that shows the opposite is refused.",
      { type: "string", enum: DATE_ORDERS },
    ),
    parameter(
      "sheet",
      "The sheet that is meant of an Excel workbook with several. Without it such a workbook is refused.",
    ),
    parameter("modified", "When the file was made. Figures without a day were measured then. Default: now."),
    parameter("allow_lower", "If true, totals may go down.", { type: "boolean", default: false }),
    parameter("dry_run", "If true, the file is only checked: nothing of it is stored.", {
      type: "boolean",
      default: false,
    }),
  ],
  requestBody: {
    required: true,
    content: {
      "text/csv": { schema: { type: "string" } },
      [WORKBOOK_TYPE]: { schema: { type: "string", format: "binary" } },
    },
  },
  responses: {
    200: answered(FILES, limits, "The file was read and reported.", EXAMPLE),
    ...refused(FILES, limits, [
      ["invalid_request", "A parameter is wrong, or the file did not arrive completely."],
      ["body_timeout", "The file arrived too slowly."],
      ["body_too_large", "The file has more than 20 MB."],
      ["unsupported_media_type", "The body is declared as neither CSV nor an Excel workbook, or is compressed."],
      ["unreadable_file", "It is not a CSV file, its columns are unknown, or its figures can be read in two ways."],
    ]),
  },
})
