import { createMessage, type Message } from './message.ts'

const messages = new Map<string, Message>()

/** Returns the sentence of a message and registers its template for `messageOfSentence`, because zod stores only the sentence. */
export function registerMessage({ message, template, params }: Message): string {
  messages.set(message, { message, template, params })
  return message
}

/** The sentence of a template with one limit, `{n}`, as the message of a zod check. */
export const limitText = (template: string, n: number): string => registerMessage(createMessage(template, { n }))

/** The sentence of a template with a range, `{min}` and `{max}`, as the message of a zod check. */
export const rangeText = (template: string, { min, max }: { min: number; max: number }): string =>
  registerMessage(createMessage(template, { min, max }))

/** The message, with its template, of a sentence that `registerMessage` returned; undefined for other sentences. */
export const messageOfSentence = (sentence: string): Message | undefined => messages.get(sentence)
