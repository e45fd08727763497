import type { CreateTeamForm, CreateTeamInput } from '@community/contract'
import { MAX_MEMBERS_DEFAULT } from '@community/contract/limits'
import type { FieldPath } from 'react-hook-form'
import type { CurrentUser } from '../../lib/session.ts'
import type { PersonFieldName } from '../../components/person-fields.tsx'

export type Step = 0 | 1 | 2
export const LAST_STEP: Step = 2
export type CreateTeamField = FieldPath<CreateTeamForm>

/** The fields of each step, validated by Next. */
export const STEP_FIELDS: readonly (readonly CreateTeamField[])[] = [
  [
    'userInfo.firstName',
    'userInfo.email',
    'userInfo.phone',
    'userInfo.personalExperience',
    'userInfo.role.id',
    'userInfo.github',
    'userInfo.instagram',
    'userInfo.portfolio',
    'userInfo.bio',
  ],
  ['name', 'description', 'experience', 'maxMembers'],
  ['rolesNeeded'],
]

/** The step that holds a field. */
export const stepOf = (field: string): Step => {
  const step = STEP_FIELDS.findIndex((fields) =>
    fields.some((prefix) => field === prefix || field.startsWith(`${prefix}.`)),
  )
  return step === 1 || step === 2 ? step : 0
}

/** The path of the creator's fields in the form. */
export const CREATOR_FIELD: Record<PersonFieldName, CreateTeamField> = {
  name: 'userInfo.firstName',
  email: 'userInfo.email',
  phone: 'userInfo.phone',
  experience: 'userInfo.personalExperience',
  github: 'userInfo.github',
  instagram: 'userInfo.instagram',
  portfolio: 'userInfo.portfolio',
  bio: 'userInfo.bio',
}

/** The form's initial values, from the profile. */
export const initialForm = (user: CurrentUser | null): CreateTeamForm => ({
  name: '',
  description: '',
  experience: '',
  maxMembers: MAX_MEMBERS_DEFAULT,
  rolesNeeded: [],
  userInfo: {
    firstName: user?.name ?? '',
    lastName: '',
    email: user?.email ?? '',
    phone: user?.phone ?? '',
    github: user?.github ?? '',
    instagram: user?.instagram ?? '',
    portfolio: user?.portfolio ?? '',
    bio: user?.bio ?? '',
    personalExperience: user?.experience ?? '',
    role: { id: '' },
  },
})

/** Fills the empty fields of a draft from the profile: the user may have signed in since. */
export function fillFromProfile(draft: CreateTeamForm, user: CurrentUser | null): CreateTeamForm {
  const { userInfo: profile } = initialForm(user)
  const { userInfo } = draft
  return {
    ...draft,
    userInfo: { ...profile, ...Object.fromEntries(Object.entries(userInfo).filter(([, value]) => value !== '')) },
  }
}

/** The procedure's input. The form has the full name in `firstName`, and an empty role for none. */
export function toCreateInput(form: CreateTeamParsed): CreateTeamInput {
  const { userInfo, ...team } = form
  const { role, firstName: fullName, ...person } = userInfo
  const [firstName = '', ...rest] = fullName.split(' ')
  return {
    ...team,
    userInfo: { ...person, firstName, lastName: rest.join(' '), ...(role.id && { role: { id: role.id } }) },
  }
}

/** The output of the form's schema. */
export type CreateTeamParsed = Omit<CreateTeamInput, 'userInfo' | 'rolesNeeded'> & {
  rolesNeeded: { id: string; name: string; emoji: string }[]
  userInfo: Omit<CreateTeamInput['userInfo'], 'role'> & { role: { id: string } }
}
