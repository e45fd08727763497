type Mail = Record<'subject' | 'text' | 'receivedAt', string> & { to: string[] }

/** Waits for a mail to an address after `since` and returns the newest. */
export async function newestMail(inboxUrl: string, to: string, since = 0) {
  const end = Date.now() + 10_000
  while (Date.now() < end) {
    const mails = (await (await fetch(`${inboxUrl}/messages.json`)).json()) as Mail[]
    const mail = mails.find((candidate) => candidate.to.includes(to) && Date.parse(candidate.receivedAt) >= since)
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`No mail to ${to} came`)
}

/** The six digits of the newest code mailed to an address. */
export async function newestCode(inboxUrl: string, to: string, since = 0): Promise<string> {
  const { subject, text } = await newestMail(inboxUrl, to, since)
  const [code] = /\b\d{6}\b/.exec(`${subject}\n${text}`) ?? []
  if (!code) throw new Error(`No code in “${subject}”`)
  return code
}
