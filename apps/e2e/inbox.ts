import { untilFound } from '@community/testing'

type Mail = Record<'subject' | 'text' | 'receivedAt', string> & { to: string[] }

/** Waits for a mail to an address after `since`, with a subject that matches, and returns the newest. */
export function newestMail(inboxUrl: string, to: string, since = 0, subject = /./): Promise<Mail> {
  const findMail = async () => {
    const mails = (await (await fetch(`${inboxUrl}/messages.json`)).json()) as Mail[]
    const isWanted = (mail: Mail) => mail.to.includes(to) && subject.test(mail.subject)
    return mails.find((mail) => isWanted(mail) && Date.parse(mail.receivedAt) >= since)
  }
  return untilFound(`a mail comes to ${to}`, findMail, 10_000)
}

/** The six digits of the newest code mailed to an address; notifications may be mailed meanwhile. */
export async function newestCode(inboxUrl: string, to: string, since = 0): Promise<string> {
  const code = /\b\d{6}\b/
  const { subject } = await newestMail(inboxUrl, to, since, code)
  return code.exec(subject)?.[0] ?? ''
}
