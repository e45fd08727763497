import type { Submission } from '@community/contract'
import { type Translate, useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { actAfterQuestion, actWithPassword } from './admin-action.ts'

type Client = ReturnType<typeof trpc.useUtils>['client']

const namesOf = ({ teamId, challengeId }: Submission) => ({ team: teamId.name, challenge: challengeId.title })

const remove = (t: Translate, client: Client, submission: Submission) =>
  actWithPassword(
    {
      title: t('Delete Submission'),
      message: t('The work of {team} for “{challenge}” will be deleted with its file and points.', namesOf(submission)),
      confirmLabel: t('Delete Submission'),
      danger: true,
      done: t('Submission deleted successfully'),
      failed: t('Failed to delete submission'),
    },
    (password) => client.submissions.remove.mutate({ id: submission.id, password }),
  )

const resetEvaluation = (t: Translate, client: Client, submission: Submission) =>
  actAfterQuestion(
    {
      title: t('Take the evaluation back?'),
      message: t(
        'The work of {team} for “{challenge}” will be pending again, and its points are gone.',
        namesOf(submission),
      ),
      confirmLabel: t('Reset evaluation'),
      done: t('Evaluation taken back'),
      failed: t('Failed to reset the evaluation'),
    },
    () => client.submissions.resetEvaluation.mutate({ id: submission.id }),
  )

/** What administrators do about a submission beside judging it; each answers whether it was done. */
export function useSubmissionActions() {
  const t = useT()
  const { client } = trpc.useUtils()
  return {
    remove: (submission: Submission) => remove(t, client, submission),
    resetEvaluation: (submission: Submission) => resetEvaluation(t, client, submission),
  }
}
