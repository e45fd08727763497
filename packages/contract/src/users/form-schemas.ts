import { z } from 'zod'
import { BIO_LENGTH_MAX } from '../limits.ts'
import { Link, PersonName, Phone, text, WRONG_PHONE } from '../primitives.ts'
import { Experience, Language } from './schemas.ts'
import { limitText } from '../limit-text.ts'

/** The schema comes first because a form shows the first option's message. */
const emptyOr = <S extends z.ZodType>(schema: S, wrong?: string) => z.union([schema, z.literal('')], wrong)

/** The profile form: a field left empty is cleared. */
export const ProfileForm = z.object({
  name: PersonName,
  phone: emptyOr(Phone, WRONG_PHONE),
  github: emptyOr(Link),
  instagram: emptyOr(Link),
  portfolio: emptyOr(Link),
  bio: text().max(BIO_LENGTH_MAX, limitText('Bio cannot exceed {n} characters', BIO_LENGTH_MAX)),
  experience: emptyOr(Experience),
  language: Language,
})
export type ProfileForm = z.input<typeof ProfileForm>
