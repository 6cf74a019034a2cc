import { FEEDS } from "../../src/doors/ingest/feeds.ts"
import { SLUGS } from "../../src/doors/web/guides/library.ts"
import { routes } from "../../src/doors/web/routes.ts"

const GUIDES = ["", "/api", "/search?q=key", "/none", ...SLUGS.map((slug) => `/${slug}`)]
const OTHERS = ["/", "/none", "/healthz", "/readyz", "/openapi.json", "/app/assets/none", "/app/none"]

/** A request without a body to every address of the program, with something in the place of each parameter. */
export const EVERY_ADDRESS: readonly string[] = [
  ...routes.map(({ method, path }) => requestTo(path.replaceAll(/:\w+/g, "x"), "", method)),
  ...GUIDES.map((path) => requestTo(`/docs${path}`)),
  ...[...OTHERS, "/.well-known/adagents.json", "/.well-known/brand.json"].map((path) => requestTo(path)),
  ...["/", ...FEEDS.map(({ path }) => path)].map((path) => requestTo(path, "", "POST")),
]

export function requestTo(path: string, headers = "", method = "GET"): string {
  const length = method === "POST" ? "Content-Length: 0\r\n" : ""
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${length}${headers}\r\n`
}
