const MESSAGE_LENGTH_MAX = 300
/** Shorter values occur in any sentence by chance. */
const SECRET_LENGTH_MIN = 3

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The SMTP credentials in every form that a server or library may repeat. */
function credentialsOf(smtpUrl: string | undefined): string[] {
  if (smtpUrl === undefined || !URL.canParse(smtpUrl)) return []
  const { username, password } = new URL(smtpUrl)
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return [
    `${username}:${password}`,
    base64(`\0${user}\0${pass}`),
    password,
    pass,
    base64(pass),
    username,
    user,
    base64(user),
  ]
}

/**
 * Why a mail was not sent, in one line for administrators and the log, with recipient, template values (codes) and SMTP credentials
 * masked.
 */
export function describeSendingError(
  error: unknown,
  { recipient, values, smtpUrl }: { recipient: string; values: Record<string, string>; smtpUrl?: string | undefined },
): string {
  let message = (error instanceof Error && error.message ? error.message : 'unknown').replace(/[\s\p{Cc}]+/gu, ' ')
  const replacements: [string, string][] = [
    ...credentialsOf(smtpUrl).map((secret): [string, string] => [secret, '(secret)']),
    [recipient, '(recipient)'],
    ...Object.values(values).map((value): [string, string] => [value, '(value)']),
  ]
  for (const [secret, replacement] of replacements)
    if (secret.length >= SECRET_LENGTH_MIN) message = message.replaceAll(secret, replacement)
  return message.trim().slice(0, MESSAGE_LENGTH_MAX)
}
