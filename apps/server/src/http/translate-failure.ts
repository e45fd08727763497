import type { Failure, Language, Message } from '@community/contract'
import { createMessage } from '@community/contract/message'
import { listText } from '../mails/list-text.ts'
import translations from './translations.json' with { type: 'json' }

/** Generated from the web app's catalogs by test/translations.test.ts. English texts are in the code. */
const CATALOGS: Partial<Record<Language, Record<string, string>>> = translations

/** A failure in a language. `code`, `template` and `params` stay; a text without a translation stays English. */
export function translateFailure(body: Failure, language: Language): Failure {
  const catalog = CATALOGS[language]
  if (!catalog) return body
  const translate = ({ message, template = message, params }: Message): string => {
    const translated = catalog[template]
    return translated === undefined ? message : createMessage(translated, params).message
  }
  const errors = body.errors?.map((error) => ({ ...error, msg: translate({ ...error, message: error.msg }) }))
  // The message of several field errors is theirs, joined.
  const isJoined = body.message === body.errors?.map(({ msg }) => msg).join(', ')
  const message =
    isJoined && errors
      ? listText(
          language,
          errors.map(({ msg }) => msg),
        )
      : translate(body)
  return { ...body, message, ...(errors && { errors }) }
}
