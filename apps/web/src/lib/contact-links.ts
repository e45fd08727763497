interface Draft {
  subject: string
  body: string
}

/** A `mailto:` link to one address. The address cannot add a recipient or a header (RFC 6068). */
export function mailtoLink(email: string, draft?: Draft): string {
  const at = email.lastIndexOf('@')
  const address = `${encodeURIComponent(email.slice(0, Math.max(at, 0)))}@${encodeURIComponent(email.slice(at + 1))}`
  return `mailto:${email && address}${draft ? `?subject=${encodeURIComponent(draft.subject)}&body=${encodeURIComponent(draft.body)}` : ''}`
}

/** A `tel:` link of digits and a leading plus (RFC 3966). */
export const telLink = (phone: string): string =>
  `tel:${phone.startsWith('+') ? '+' : ''}${phone.replace(/[^0-9]/g, '')}`
