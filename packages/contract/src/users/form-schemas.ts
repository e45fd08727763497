import { z } from 'zod'
import { Link, PersonName, Phone, WRONG_PHONE } from '../primitives.ts'
import { Bio, Experience, Language } from './schemas.ts'

/** The schema comes first because a form shows the first option's message. */
const emptyOr = <S extends z.ZodType>(schema: S, wrong?: string) => z.union([schema, z.literal('')], wrong)

/** The profile form: a field left empty is cleared. */
export const ProfileForm = z.object({
  name: PersonName,
  phone: emptyOr(Phone, WRONG_PHONE),
  github: emptyOr(Link),
  instagram: emptyOr(Link),
  portfolio: emptyOr(Link),
  bio: Bio,
  experience: emptyOr(Experience),
  language: Language,
})
export type ProfileForm = z.input<typeof ProfileForm>
