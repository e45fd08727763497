import type { Submission } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ChallengeRequirements } from '../../components/challenge-requirements.tsx'
import { WorkContent } from '../../components/work-content.tsx'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { LinkedText } from '../../ui/linked-text.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { Skeletons } from '../../ui/states.tsx'

/** What is judged, and by what. */
export function JudgedWork({ submission }: { submission: Submission }) {
  return (
    <div className="grid grid-cols-1 content-start gap-3">
      {/* A key: whether the picture is shown or has failed belongs to one submission. */}
      <Work key={submission.id} submission={submission} />
      <Criteria challengeId={submission.challengeId.id} />
    </div>
  )
}

function Work({ submission }: { submission: Submission }) {
  const t = useT()
  const { submittedBy, metadata } = submission
  const top = useRef<HTMLDivElement>(null)
  // The next submission is read from its beginning. An effect: the dialog must be open.
  useEffect(() => {
    top.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div>
      <div ref={top} className="scroll-my-4" />
      <div className="grid grid-cols-1 gap-3">
        <WorkContent work={submission} showsUrl />
        {submittedBy && (
          <p className="text-sm text-ink-2">
            {t('{label}:', { label: t('Submitted By') })} <bdi>{submittedBy.name}</bdi>
          </p>
        )}
        {metadata.submissionNotes !== '' && (
          <p dir="auto" className="rounded-control bg-sunken px-3 py-2 whitespace-pre-line">
            <LinkedText text={metadata.submissionNotes} isByMember />
          </p>
        )}
      </div>
    </div>
  )
}

/** The challenge's requirements and criteria. Stays open for the next submission. */
function Criteria({ challengeId }: { challengeId: string }) {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  const query = useQuery(trpc.challenges.get.queryOptions({ id: challengeId }, { enabled: isOpen }))
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-control text-sm font-semibold text-primary">
        {t('Requirements and criteria')}
      </summary>
      {query.data && <ChallengeRequirements challenge={query.data.challenge} />}
      {query.isLoading && <Skeletons className="h-64" />}
      <QueryError query={query} title={t('Failed to load the challenge')} />
    </details>
  )
}
