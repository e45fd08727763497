import { createMessage, type Message } from './message.ts'

const messages = new Map<string, Message>()

/** A message's sentence, for a check of a schema. zod keeps only the sentence: `messageOfSentence` finds the rest. */
export function sentenceOf({ message, template, params }: Message): string {
  messages.set(message, { message, template, params })
  return message
}

/** The sentence of a template with one limit, `{n}`, for a check of a schema. */
export const limitText = (template: string, n: number): string => sentenceOf(createMessage(template, { n }))

/** The sentence of a template with a range, `{min}` and `{max}`, for a check of a schema. */
export const rangeText = (template: string, { min, max }: { min: number; max: number }): string =>
  sentenceOf(createMessage(template, { min, max }))

/** The message whose sentence one of the functions above has returned. */
export const messageOfSentence = (sentence: string): Message | undefined => messages.get(sentence)
