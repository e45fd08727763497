/** Values for the placeholders of a template. */
export type MessageParams = Record<string, string | number>

/** `message` is the English text. If it contains values, `template` and `params` are set: translate those. */
export interface Message {
  message: string
  template?: string | undefined
  params?: MessageParams | undefined
}

/** Creates a message from a template with `{name}` placeholders, no plurals: 'Must be at most {n}' with `{ n: 5 }`. */
export const createMessage = (template: string, params?: MessageParams): Message =>
  params
    ? { message: template.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name])), template, params }
    : { message: template }
