import { createMessage, type Message } from './message.ts'

const messages = new Map<string, Message>()

/** The sentence of a template with one limit, `{n}`, for a check of a schema. zod keeps only the sentence: `messageOfLimit` finds the rest. */
export function limitText(template: string, n: number): string {
  const message = createMessage(template, { n })
  messages.set(message.message, message)
  return message.message
}

/** The message whose sentence `limitText` has returned. */
export const messageOfLimit = (sentence: string): Message | undefined => messages.get(sentence)
