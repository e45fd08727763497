import type { Submission } from '@community/contract'
import { ShareButton } from '../../components/share-button.tsx'
import { Score } from '../../components/submission-badges.tsx'
import { TeamTile } from '../../components/team-tile.tsx'
import { WorkContent } from '../../components/work-content.tsx'
import { formatDate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'

/** An approved work: its team, challenge, content and verdict. */
export function WorkCard({ work }: { work: Submission }) {
  const t = useT()
  const { teamId: team, challengeId: challenge, score, createdAt } = work
  return (
    <li className="grid grid-cols-1 grid-rows-[1fr_auto_auto] gap-3 rounded-card border border-line bg-surface p-4">
      <div className="flex items-start gap-3">
        <TeamTile name={team.name} />
        <div className="min-w-0 grow">
          <h3 className="text-lg">
            <bdi>{team.name}</bdi>
          </h3>
          <p className="text-ink-2">
            <bdi>{challenge.title}</bdi>
          </p>
        </div>
        <ShareButton
          className="-me-2 -mt-2"
          content={{
            text: t('{team}: work for “{challenge}”', { team: team.name, challenge: challenge.title }),
            url: work.content,
            failure: t('Unable to share this work'),
          }}
        />
      </div>
      <WorkContent work={work} hasCover />
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line pt-3">
        {score !== null && <Score score={score} />}
        <time dateTime={createdAt} className="text-sm text-muted">
          {formatDate(createdAt)}
        </time>
      </p>
    </li>
  )
}
