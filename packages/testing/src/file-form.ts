/** A form with one file. */
export function fileForm(field: string, bytes: Uint8Array, name: string, type = ''): FormData {
  const form = new FormData()
  form.set(field, new File([Uint8Array.from(bytes)], name, { type }))
  return form
}
