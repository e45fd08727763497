/** The number as wa.me wants it: country code, no sign. Null for anything but a Moroccan number. */
export function whatsAppLink(phone: string): string | null {
  const digits = phone.replace(/\s+/g, '').match(/^(?:0|\+212)([567]\d{8})$/)?.[1]
  return digits ? `https://wa.me/212${digits}` : null
}
