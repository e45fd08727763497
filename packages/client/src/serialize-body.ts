const hasFile = (value: unknown): boolean => [value].flat().some((part) => part instanceof Blob)

/** Serializes bodies with files as a form, others as JSON. */
export function serializeBody(body: unknown): FormData | string {
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => hasFile(value))) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields)
    for (const part of [value].flat()) form.append(name, part instanceof Blob ? part : String(part))
  return form
}
