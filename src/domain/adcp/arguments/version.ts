import { cutText } from "../cut-text.ts"
import { ADCP_MAJOR, ADCP_VERSION, type Arguments } from "../tools/answer.ts"
import { AdcpError, brokenRule } from "../tools/errors.ts"

const MINOR = 1
const RELEASE = /^(\d+)\.(\d+)(-[a-zA-Z0-9.-]+)?$/

/** Refuses a version that we don't serve. Comes before every other check, because such a request may look different. */
export function checkVersion({ adcp_version: release, adcp_major_version: major }: Arguments): void {
  const parts = typeof release === "string" ? RELEASE.exec(release) : null
  if (release !== undefined && parts === null) {
    const message = 'adcp_version must be a release such as "3.1", without a patch number'
    throw brokenRule("/adcp_version", message, "pattern")
  }
  if (major !== undefined && !(Number.isInteger(major) && Number(major) >= 1 && Number(major) <= 99)) {
    const message = "adcp_major_version must be a whole number, at least 1 and at most 99"
    throw brokenRule("/adcp_major_version", message, "type")
  }
  if (parts !== null && !isServed(parts)) throw unsupported("adcp_version", parts[0], { release, major })
  if (major !== undefined && major !== ADCP_MAJOR)
    throw unsupported("adcp_major_version", `major version ${major}`, { release, major })
}

/** Later minor releases get our answers. Pre-releases don't. */
const isServed = ([, major, minor, preRelease]: RegExpExecArray): boolean =>
  Number(major) === ADCP_MAJOR && Number(minor) >= MINOR && preRelease === undefined

interface Asked {
  readonly release: unknown
  readonly major: unknown
}

function unsupported(field: string, what: string, { release, major }: Asked): AdcpError {
  const message = `AdCP ${cutText(what, 40)} isn't supported. Supported: ${ADCP_VERSION}.`
  return new AdcpError("VERSION_UNSUPPORTED", message, {
    field,
    suggestion: `Send adcp_version "${ADCP_VERSION}", or leave the version out.`,
    details: {
      supported_versions: [ADCP_VERSION],
      supported_majors: [ADCP_MAJOR],
      ...(typeof release === "string" && release.length <= 40 && { adcp_version: release }),
      ...(major !== undefined && { adcp_major_version: major }),
    },
  })
}
