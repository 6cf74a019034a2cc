import { SETTINGS } from "../../../config.ts"
import { UserError } from "../../../domain/user-error.ts"
import { command, says } from "../command.ts"
import { settingsOf } from "../context.ts"
import { printJson } from "../io.ts"
import { readAnswer } from "../report/server.ts"

const TIMEOUT_MS = 3_000

// For container health checks: the image has no other program that could ask the server.
const ABOUT_HEALTH = "check whether the server on this machine is ready; for container health checks"
export const healthCommand = command("health", ABOUT_HEALTH, {
  hidden: true,
  options: { "--port <PORT>": `port of the server (default: ${SETTINGS.port.fallback})` },
  json: null,
  examples: [["health --port 3000"]],
  async run({ cli, options }) {
    const { config } = settingsOf(cli, options)
    const url = `http://127.0.0.1:${config.port}/readyz`
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((cause: Error) => {
      throw new UserError(`No server answers at ${url}.`, { cause })
    })
    if (!response.ok) {
      const answer = new TextDecoder().decode((await readAnswer(response)) ?? undefined)
      throw new UserError(`The server is not ready: ${answer}`)
    }
    return says(null, "ready")
  },
})

export const versionCommand = command("version", "print the versions of the program and of its parts", {
  summary: "print the versions of the program and its parts",
  examples: [["version --json"]],
  async run({ cli }) {
    const versions = await cli.versions()
    const lines = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
    return says(versions, lines.join("\n"))
  },
})

export const openapiCommand = command("openapi", "print the OpenAPI 3.1 document of the ingest API", {
  hidden: true,
  settings: ["limitIngest", "publicUrl"],
  json: "accepted; the document is always JSON",
  examples: [["openapi --public-url https://ads.example.com > openapi.json"]],
  async run({ cli, options }) {
    const document = await cli.openapi(settingsOf(cli, options).config)
    return (io) => printJson(io, document)
  },
})
