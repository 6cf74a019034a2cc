import { expect, test } from "bun:test"
import { prepareFormats } from "../../../../src/domain/adcp/format-view.ts"
import { getCapabilities, prepareCapabilities } from "../../../../src/domain/adcp/tools/capabilities.ts"
import { getProducts } from "../../../../src/domain/adcp/tools/get-products.ts"
import { listCreativeFormats } from "../../../../src/domain/adcp/tools/list-creative-formats.ts"
import { givenView, own } from "../given.ts"
import { payloadOf, type PlainTool as Tool } from "../schema/answers.ts"
import { agentUrl } from "../schema/documents.ts"
import { officialComplaints, officialIsHere } from "../schema/official.ts"

const view = givenView([])
const formats = prepareFormats(own, agentUrl)
const capabilities = prepareCapabilities({ products: [], publishedDomains: [] })

const tools: Record<Tool, (args: Record<string, unknown>) => { isError: boolean; payload: Record<string, unknown> }> = {
  get_products: (args) => getProducts(view, args),
  list_creative_formats: (args) => listCreativeFormats(formats, args),
  get_adcp_capabilities: (args) => getCapabilities(capabilities, args),
}

const table: [Record<string, unknown>, string][] = [
  [{}, "served"],
  [{ adcp_major_version: 3 }, "served"],
  [{ adcp_major_version: 2 }, "VERSION_UNSUPPORTED"],
  [{ adcp_major_version: 99 }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.1" }, "served"],
  [{ adcp_version: "3.2" }, "served"],
  [{ adcp_version: "3.9" }, "served"],
  [{ adcp_version: "3.0" }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "4.0" }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "2.5" }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.1-beta.1" }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.2-beta.5" }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.1", adcp_major_version: 3 }, "served"],
  [{ adcp_version: "3.1", adcp_major_version: 2 }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "4.0", adcp_major_version: 3 }, "VERSION_UNSUPPORTED"],
  [{ adcp_version: "3.1.2" }, "INVALID_REQUEST"],
  [{ adcp_version: "v3.1" }, "INVALID_REQUEST"],
  [{ adcp_version: "3" }, "INVALID_REQUEST"],
  [{ adcp_version: 3.1 }, "INVALID_REQUEST"],
  [{ adcp_version: null }, "served"],
  [{ adcp_major_version: "3" }, "INVALID_REQUEST"],
  [{ adcp_major_version: 3.5 }, "INVALID_REQUEST"],
  [{ adcp_major_version: 0 }, "INVALID_REQUEST"],
]

for (const tool of Object.keys(tools) as Tool[]) {
  test.each(table)(`${tool} with %j is %s`, (asked, outcome) => {
    const payload = payloadOf(tool, tools[tool]({ ...asked, context: { id: 7 } }))
    expect(payload.adcp_version).toBe("3.1")
    expect(payload.context).toEqual({ id: 7 })
    expect(payload.adcp_error?.code ?? "served").toBe(outcome)
    if (outcome !== "VERSION_UNSUPPORTED") return
    expect(payload.adcp_error).toMatchObject({
      recovery: "correctable",
      details: { supported_versions: ["3.1"], supported_majors: [3] },
    })
    if (officialIsHere)
      expect(officialComplaints("error-details/version-unsupported.json", payload.adcp_error.details)).toEqual([])
  })

  test(`${tool} looks at the version before anything else`, () => {
    const wrong = { adcp_version: "2.0", filters: 7, api_key: "secret", pagination: "all", protocols: 1 }
    expect(tools[tool](wrong).payload).toMatchObject({ adcp_error: { code: "VERSION_UNSUPPORTED" } })
  })
}
