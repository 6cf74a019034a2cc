import { cutText } from "../../text/short-text.ts"
import { ADCP_MAJOR, ADCP_VERSION, type AdcpError, type Arguments, adcpError, brokenRule } from "./answer.ts"

const MINOR = 1
const RELEASE = /^(\d+)\.(\d+)(-[a-zA-Z0-9.-]+)?$/

/** Why the requested version is refused, or undefined. Checked before all other arguments. */
export function refuseVersion(input: Arguments): AdcpError | undefined {
  return malformedVersion(input) ?? unsupportedVersion(input)
}

function malformedVersion({ adcp_version: release, adcp_major_version: major }: Arguments): AdcpError | undefined {
  if (release !== undefined && !(typeof release === "string" && RELEASE.test(release))) {
    const message = 'adcp_version must be a release such as "3.1", without a patch number'
    return brokenRule("/adcp_version", message, "pattern")
  }
  const isMajor = Number.isInteger(major) && Number(major) >= 1 && Number(major) <= 99
  if (major === undefined || isMajor) return undefined
  const message = "adcp_major_version must be a whole number, at least 1 and at most 99"
  return brokenRule("/adcp_major_version", message, "type")
}

function unsupportedVersion({ adcp_version: release, adcp_major_version: major }: Arguments): AdcpError | undefined {
  if (release !== undefined && !canServe(String(release)))
    return unsupported("adcp_version", release, { release, major })
  const releaseMajor = release === undefined ? ADCP_MAJOR : Number(RELEASE.exec(String(release))?.[1])
  if (major === undefined || (major === ADCP_MAJOR && releaseMajor === major)) return undefined
  return unsupported("adcp_major_version", `major version ${major}`, { release, major })
}

/** Later minor releases are served as ours. Pre-releases are not. */
function canServe(release: string): boolean {
  const [, major, minor, preRelease] = RELEASE.exec(release) ?? []
  return Number(major) === ADCP_MAJOR && Number(minor) >= MINOR && preRelease === undefined
}

function unsupported(field: string, what: unknown, requested: { release: unknown; major: unknown }): AdcpError {
  const { release, major } = requested
  return adcpError(
    "VERSION_UNSUPPORTED",
    `AdCP ${cutText(String(what), 40)} is not supported. Supported: ${ADCP_VERSION}.`,
    {
      field,
      suggestion: `Send adcp_version "${ADCP_VERSION}", or leave the version out.`,
      details: {
        supported_versions: [ADCP_VERSION],
        supported_majors: [ADCP_MAJOR],
        ...(typeof release === "string" && release.length <= 40 ? { adcp_version: release } : {}),
        ...(major === undefined ? {} : { adcp_major_version: major }),
      },
    },
  )
}
