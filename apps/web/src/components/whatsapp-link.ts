/** The number in the format of wa.me: country code without "+". Null unless it is a Moroccan number. */
export function whatsAppLink(phone: string): string | null {
  const digits = phone.replace(/\s+/g, '').match(/^(?:0|\+212)([567]\d{8})$/)?.[1]
  return digits ? `https://wa.me/212${digits}` : null
}
