import type { Submission } from '@community/contract'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpcClient } from '../../lib/trpc.ts'

const namesOf = ({ teamId, challengeId }: Submission) => ({ team: teamId.name, challenge: challengeId.title })

/** Actions of administrators on a submission besides the verdict. */
export function useSubmissionActions() {
  return { remove: useDelete(), resetEvaluation: useResetEvaluation() }
}

function useDelete() {
  const t = useT()
  return useAction(trpcClient.submissions.remove, {
    input: ({ id }: Submission, { password }) => ({ id, password }),
    password: (submission) => ({
      title: t('Delete Submission'),
      message: t(
        '{team}’s submission for “{challenge}” will be deleted with its file and points.',
        namesOf(submission),
      ),
      confirmLabel: t('Delete Submission'),
      danger: true,
    }),
    success: t('Submission deleted successfully'),
    failure: t('Failed to delete submission'),
    ...AFTER_ADMIN_ACTION,
  })
}

function useResetEvaluation() {
  const t = useT()
  return useAction(trpcClient.submissions.resetEvaluation, {
    input: ({ id, evaluatedAt }: Submission) => ({ id, evaluatedAt: evaluatedAt ?? undefined }),
    confirm: (submission) => ({
      title: t('Reset this evaluation?'),
      message:
        submission.status === 'approved'
          ? t('{team}’s submission for “{challenge}” will be pending again and lose its points.', namesOf(submission))
          : t('{team}’s submission for “{challenge}” will be pending again.', namesOf(submission)),
      confirmLabel: t('Reset evaluation'),
    }),
    success: t('Evaluation reset'),
    failure: t('Failed to reset the evaluation'),
    ...AFTER_ADMIN_ACTION,
  })
}
