/** The form that all variants of an email share: no plus part, no dots at Gmail. For blocking only, never to identify an account. */
export function emailKey(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email
    .slice(at + 1)
    .toLowerCase()
    .replace(/^googlemail\.com$/, 'gmail.com')
  const [local = ''] = email.slice(0, at).toLowerCase().split('+')
  return `${domain === 'gmail.com' ? local.replaceAll('.', '') : local}@${domain}`
}
