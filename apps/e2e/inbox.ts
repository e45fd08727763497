import { untilFound } from '@community/testing'

type Mail = Record<'subject' | 'text' | 'receivedAt', string> & { to: string[] }

/** Waits for a mail to an address after `since` and returns the newest. */
export function newestMail(inboxUrl: string, to: string, since = 0): Promise<Mail> {
  const findMail = async () => {
    const mails = (await (await fetch(`${inboxUrl}/messages.json`)).json()) as Mail[]
    return mails.find((mail) => mail.to.includes(to) && Date.parse(mail.receivedAt) >= since)
  }
  return untilFound(`a mail comes to ${to}`, findMail, 10_000)
}

/** The six digits of the newest code mailed to an address. */
export async function newestCode(inboxUrl: string, to: string, since = 0): Promise<string> {
  const { subject, text } = await newestMail(inboxUrl, to, since)
  const [code] = /\b\d{6}\b/.exec(`${subject}\n${text}`) ?? []
  if (!code) throw new Error(`No code in “${subject}”`)
  return code
}
