import type { Answers } from '../lib/action.ts'
import { t } from '../lib/i18n.ts'
import type { Question } from '../lib/questions.ts'
import { currentUser, isAdmin } from '../lib/session.ts'

type QuestionFor<Target> = (target: Target) => Question

/** The confirmation of a chef's action. Administrators need their password, as the server demands it of them. */
export const confirmAsChef = <Target>(questionFor: QuestionFor<Target>) => ({
  confirm: (target: Target) => (isAdmin(currentUser()) ? undefined : questionFor(target)),
  password: (target: Target) => (isAdmin(currentUser()) ? questionFor(target) : undefined),
})

/** For actions that a form has confirmed already: only administrators are asked, for their password. */
export const passwordIfAdmin = (question: Question) => ({
  password: () =>
    isAdmin(currentUser()) ? { message: t('Enter your admin password to continue.'), ...question } : undefined,
})

/** The password as an input of the procedure, if it was asked for. */
export const passwordInput = ({ password }: Answers): { password?: string } => (password === '' ? {} : { password })
