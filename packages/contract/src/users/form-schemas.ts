import { z } from 'zod'
import { BIO_LENGTH_MAX } from '../limits.ts'
import { Link, PersonName, Phone, text, WRONG_PHONE } from '../primitives.ts'
import { Experience, Language } from './schemas.ts'

/** The schema first: a form tells what the first of a union says. */
const emptyOr = <S extends z.ZodType>(schema: S, wrong?: string) => z.union([schema, z.literal('')], wrong)

/** The profile as its form holds it: what is left empty is taken away. */
export const ProfileForm = z.object({
  name: PersonName,
  phone: emptyOr(Phone, WRONG_PHONE),
  github: emptyOr(Link),
  instagram: emptyOr(Link),
  portfolio: emptyOr(Link),
  bio: text().max(BIO_LENGTH_MAX, 'Bio cannot exceed 1000 characters'),
  // A level once told is only changed, never taken back.
  experience: emptyOr(Experience).transform((level) => (level === '' ? undefined : level)),
  language: Language,
})
export type ProfileForm = z.input<typeof ProfileForm>
