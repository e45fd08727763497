import type { Answers } from '../../lib/action.ts'
import { t } from '../../lib/i18n.ts'
import type { Question } from '../../lib/questions.ts'
import { currentUser, isAdmin } from '../../lib/session.ts'

type QuestionFor<Target> = (target: Target) => Question

/** A chef's yes. An administrator says it with their password, whom the server asks for it. */
export const confirmAsChef = <Target>(questionFor: QuestionFor<Target>) => ({
  confirm: (target: Target) => (isAdmin(currentUser()) ? undefined : questionFor(target)),
  password: (target: Target) => (isAdmin(currentUser()) ? questionFor(target) : undefined),
})

/** For what a form has asked for already: only administrators are asked once more. */
export const passwordIfAdmin = (question: Question) => ({
  password: () =>
    isAdmin(currentUser()) ? { message: t('Enter your admin password to go on.'), ...question } : undefined,
})

/** What a chef's call carries besides: the password, where it was asked for. */
export const passwordInput = ({ password }: Answers): { password?: string } => (password === '' ? {} : { password })
