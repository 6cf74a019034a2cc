import { newId } from "../../actions/new-id.ts"
import { chosenMail, mailNote, noteMail } from "../../actions/operations/services.ts"
import type { Letter, MailChoice, MailService } from "../../domain/operations/mail.ts"
import { mailAdvice, TEST_LETTER } from "../../domain/operations/mail.ts"
import { InvalidSetting, readSmtpUrl, type SmtpServer, validSetting } from "../../domain/operations/service-settings.ts"
import { messageOf, sentence } from "../../domain/user-error.ts"
import type { JobContext } from "../job-context.ts"
import { sendMail } from "./send-mail.ts"

type Sender = Omit<MailChoice, "smtp"> & { readonly server: SmtpServer }

/** Mail for invitations, password links and orders, by the server of the settings or by the one that was chosen in the app. */
export function mailService(parts: JobContext): MailService {
  const { config, clock, log, random } = parts

  async function inForce() {
    const option = config.smtp === null ? null : validSetting(readSmtpUrl(config.smtp))
    if (option !== null) {
      const from = config.mailFrom ?? (option.user?.includes("@") ? option.user : null)
      return from === null ? null : { server: option, from, fromName: "Adbooth", isOption: true }
    }
    const chosen = await chosenMail(parts)
    const server = chosen === null ? null : asServer(chosen)
    return chosen === null || server === null ? null : { ...chosen, server, isOption: false }
  }

  async function deliver({ server, from, fromName }: Sender, letter: Letter): Promise<string | null> {
    const mail = { ...letter, to: [letter.to], from: { name: fromName, address: from }, id: newId(random) }
    return sendMail(server, mail).catch((cause) => sentence(`${server.host}: ${messageOf(cause)}`))
  }

  return {
    async inForce() {
      const found = await inForce().catch(() => null)
      if (found === null) return null
      const { server, from, fromName, isOption } = found
      const { password: _, ...place } = server
      return { ...place, from, fromName, isOption }
    },
    async withStoredPassword(choice) {
      const [typed, stored] = [new URL(choice.smtp), new URL((await chosenMail(parts))?.smtp ?? "smtp://none")]
      if (typed.password !== "" || typed.username !== stored.username || typed.host !== stored.host) return choice
      typed.password = stored.password
      return { ...choice, smtp: typed.href }
    },
    async test(choice, to) {
      const server = asServer(choice)
      if (server === null) return "The address of the server cannot be read."
      const problem = await deliver({ ...choice, server }, { ...TEST_LETTER, to })
      return problem === null ? null : `${problem} ${mailAdvice(problem)}`
    },
    async send(letter) {
      const found = await inForce()
      if (found === null) return null
      const problem = await deliver(found, letter)
      const sentAt = problem === null ? clock() : ((await mailNote(parts.store))?.sentAt ?? null)
      await noteMail(parts, { sentAt, problem }).catch(() => undefined)
      if (problem !== null) log.warn("mail not sent", { problem })
      return problem
    },
  }
}

function asServer({ smtp }: MailChoice): SmtpServer | null {
  const server = readSmtpUrl(smtp)
  return server instanceof InvalidSetting ? null : server
}
