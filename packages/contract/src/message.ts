/** Values for the placeholders of a template. */
export type MessageParams = Record<string, string | number>

/** An English sentence. One with values in it carries its ICU template and the values too: translate by those. */
export interface Message {
  message: string
  template?: string | undefined
  params?: MessageParams | undefined
}

/** A message from its template: 'Must be at most {n}' with `{ n: 5 }`. */
export const formatMessage = (template: string, params?: MessageParams): Message =>
  params
    ? { message: template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])), template, params }
    : { message: template }
